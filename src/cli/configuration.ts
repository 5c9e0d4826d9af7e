import { buildConfig, type ConfigDraft } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { readEnv, type ReadEnv } from '../config/read-env.js';
import { isPlainRefusal } from '../store/plain-refusal.js';
import { Store } from '../store/store.js';
import { CommandFailure } from './command.js';

/** The configuration as the service would read it, before any key is made. */
export type Inspected = ReturnType<typeof inspectConfiguration>;

/** Reads the configuration without making any key. Throws `ConfigError` with every problem. */
export function inspectConfiguration(env: NodeJS.ProcessEnv): ConfigDraft & Pick<ReadEnv, 'sources'> {
  const { values, sources, problems } = readEnv(env);
  const draft = buildConfig(values, sources, problems);
  if (!draft) throw new ConfigError(problems);
  return { ...draft, sources };
}

/** Opens the configured store for a command and closes it again. Nothing is migrated before `prepare`, and only with `migrate`. */
export async function withStore<T>(
  { store: config, gateway: { baseUrl, mode } }: Inspected,
  work: (store: Store) => Promise<T>,
  { migrate = false } = {},
): Promise<T> {
  return plainly(async () => {
    const store = Store.connect({
      config,
      migrate,
      identity: { gatewayOrigin: new URL(baseUrl).origin, mode },
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

/** Runs `work`. An obstacle that a person must remove is reported without a stack. */
export async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isPlainRefusal(error)) throw error;
    throw new CommandFailure(error.message, 'store');
  }
}
