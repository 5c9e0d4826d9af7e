import { isPlainRefusal } from '../store/plain-refusal.js';
import { Store } from '../store/store.js';
import { CommandFailure } from './command-failure.js';
import type { inspectConfiguration } from './inspect-configuration.js';

/** Opens the configured store for a command and closes it again. Nothing is migrated before `prepare`, and only with `migrate`. */
export async function withStore<T>(
  { store: config, gateway: { baseUrl, mode } }: ReturnType<typeof inspectConfiguration>,
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
