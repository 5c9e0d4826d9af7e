import { readSchema } from '../store/migrations.js';
import { isPlainRefusal } from '../store/plain-refusal.js';
import { Store } from '../store/store.js';
import { CommandFailure, EXIT, type Context, type ExitCode } from './command.js';
import { inspectConfiguration } from './configuration.js';

/** Brings the schema up to date. Nothing happens where it already is. */
export async function storeMigrate({ env, out }: Context): Promise<ExitCode> {
  const { store: config, gateway } = inspectConfiguration(env);
  const identity = { gatewayOrigin: new URL(gateway.baseUrl).origin, mode: gateway.mode };
  try {
    const store = Store.connect({ config, migrate: true, identity });
    try {
      const { missing } = await readSchema(store.db);
      await store.prepare();
      out(missing.length > 0 ? 'The schema has been brought up to date.\n' : 'The schema is up to date.\n');
      return EXIT.done;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (isPlainRefusal(error)) throw new CommandFailure(error.message);
    throw error;
  }
}
