import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../setup/postgres.js';

export type StoreKind = 'embedded' | 'postgres';

declare global {
  /** Set by the configuration of a quick run (jest.quick.config.js). */
  var testStores: readonly StoreKind[] | undefined;
}

/** Both stores, for `describe.each(stores)('on the %s store', (kind) => …)`. In a quick run, only the embedded one. */
export const stores: readonly StoreKind[] = globalThis.testStores ?? ['embedded', 'postgres'];

/** Storage for the service that can outlive one process: for a crash, a second replica or an upgrade. */
export interface TestStore {
  readonly kind: StoreKind;
  readonly dataDir: string;
  /** Set on PostgreSQL. */
  readonly databaseUrl?: string;
  /** Removes everything. */
  dispose(): Promise<void>;
}

export async function createTestStore(kind: StoreKind): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillfront-test-data-'));
  const removeDirectory = () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
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
