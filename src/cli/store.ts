import { readConfig } from '../config/read-config.js';
import { backupStore, copyStore, declareRestored, migrateStore, trustStore } from '../store/maintenance.js';
import { StoreRefused } from '../store/prepare.js';
import { StoreUnavailable } from '../store/store-unavailable.js';
import { CommandFailure, EXIT, type Context, type ExitCode } from './command.js';

/** Where the service would keep it. Throws `ConfigError` with every problem, and makes no key. */
const placeOf = (env: NodeJS.ProcessEnv) => readConfig(env).draft().store;

/** What `tillfront store …` does, by its second word. */
const COMMANDS: Readonly<Record<string, (context: Context, argument: string) => Promise<string>>> = {
  migrate: async ({ env }) => {
    const { from, to } = await migrateStore(placeOf(env));
    return from === to ? 'The schema is up to date.' : 'The schema has been brought up to date.';
  },
  backup: async ({ env }, file) => {
    await backupStore(placeOf(env), file);
    return `The store is backed up in ${file}.`;
  },
  copy: async ({ env }, folder) => {
    const store = placeOf(env);
    if (store.kind !== 'postgres')
      throw new CommandFailure('Set DATABASE_URL to the database that the store moves to.');
    const counts = await copyStore(folder, store.currentUrl);
    const rows = Object.entries(counts).map(([table, count]) => `${table.padEnd(12)} ${count}`);
    return [...rows, 'Everything is copied. The embedded store is marked as moved and starts no more.'].join(
      '\n',
    );
  },
  restored: async ({ env }) => {
    await declareRestored(placeOf(env));
    return 'The store counts as restored: orders are checked with the gateway before anything is sent for them.';
  },
  trusted: async ({ env }) => {
    const at = await trustStore(placeOf(env));
    return at === undefined
      ? 'The store was not restored.'
      : `The store is trusted again. It was restored at ${new Date(at).toISOString()}.`;
  },
};

/** Runs one of them and says what it did. */
export async function store(context: Context, command: string, argument = ''): Promise<ExitCode> {
  try {
    context.out(`${(await COMMANDS[command]?.(context, argument)) ?? ''}\n`);
    return EXIT.done;
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof StoreUnavailable)
      throw new CommandFailure(error.message);
    throw error;
  }
}
