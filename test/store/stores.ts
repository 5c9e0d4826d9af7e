import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenedStore, type StoreOptions } from '../../src/store/opened-store.js';
import { createTestDatabase } from '../setup/postgres.js';

export const IDENTITY = { gatewayOrigin: 'https://gateway.example', mode: 'test' } as const;

/** A place for stores, and what opens one there. */
export interface TestPlace {
  dataDir: string;
  /** Empty for the embedded store. */
  url: string;
  open(over?: Partial<StoreOptions>): Promise<OpenedStore>;
  /** Closes what was opened and removes the place. */
  end(): Promise<void>;
}

export const KINDS = ['embedded', 'postgres'] as const;

/** A folder, and for PostgreSQL a database of its own. */
export async function testPlace(kind: (typeof KINDS)[number]): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillfront-test-store-'));
  const database = kind === 'postgres' ? await createTestDatabase() : undefined;
  const opened: OpenedStore[] = [];
  return {
    dataDir,
    url: database?.url ?? '',
    open: async (over = {}) => {
      const place = database
        ? { kind: 'postgres' as const, currentUrl: () => database.url, dataDir }
        : { kind: 'embedded' as const, dataDir };
      const store = new OpenedStore({ place, migrate: true, identity: IDENTITY, ...over });
      opened.push(store);
      try {
        await store.prepare();
      } catch (error) {
        await store.close();
        throw error;
      }
      return store;
    },
    end: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await database?.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
