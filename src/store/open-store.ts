import type { Config } from '../config/config.js';
import { OpenedStore } from './opened-store.js';

/**
 * Opens the store that the configuration names and prepares it. A PostgreSQL that cannot be reached yet is prepared once it can be. Throws
 * what needs a person.
 */
export async function openStore(config: Config): Promise<OpenedStore> {
  const store = new OpenedStore({
    place: config.store,
    migrate: config.migrateOnStart,
    identity: { gatewayOrigin: new URL(config.gateway.baseUrl).origin, mode: config.gateway.mode },
  });
  try {
    await store.begin();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
