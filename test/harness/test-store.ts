import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../setup/postgres.ts';
import { service } from '../setup/service.ts';

export type StoreKind = 'embedded' | 'postgres';

declare global {
  /** Set by the configuration of a quick run (jest.quick.config.js). */
  var testStores: readonly StoreKind[] | undefined;
}

/** Both stores, for `describe.each(stores)('on the %s store', (kind) => …)`. In a quick run, only the embedded one. */
export const stores: readonly StoreKind[] = globalThis.testStores ?? ['embedded', 'postgres'];

/**
 * What a store cannot change is tried on one, which is the quicker one to start; with `TEST_BOTH_STORES` set, on both. Both promise
 * the same: src/store's own tests and the simulated sequences hold them to it.
 */
export const anyStore: readonly StoreKind[] =
  process.env['TEST_BOTH_STORES'] === undefined ? ['embedded'] : stores;

/** Storage for the service that can outlive one process: for a crash, a second replica or an upgrade. */
export interface TestStore {
  readonly kind: StoreKind;
  readonly dataDir: string;
  /** Set on PostgreSQL. */
  readonly databaseUrl?: string;
  /** Removes everything. */
  dispose(): Promise<void>;
}

/** A store with nothing in it but the key for cards, as a former start leaves it. */
export function createTestStore(kind: StoreKind): Promise<TestStore> {
  return makeStore(kind, async (dataDir) => {
    const file = join(dataDir, 'card-encryption-key.pem');
    await copyFile(await service('card-key'), file);
    await chmod(file, 0o600);
  });
}

/** A store with nothing in it, for a first start. */
export function createEmptyStore(kind: StoreKind): Promise<TestStore> {
  return makeStore(kind);
}

async function makeStore(kind: StoreKind, fill?: (dataDir: string) => Promise<void>): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-test-data-'));
  const removeDirectory = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  await fill?.(dataDir);
  if (kind === 'embedded') return { kind, dataDir, dispose: removeDirectory };
  const database = await createTestDatabase();
  return {
    kind,
    dataDir,
    databaseUrl: database.url,
    dispose: async () => {
      await database.drop();
      await removeDirectory();
    },
  };
}
