import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openStore } from '../../test/harness/event-store.js';
import { createTestStore, type TestStore } from '../../test/harness/test-store.js';
import type { Store } from './store.js';

/**
 * A killed process loses nothing that the operating system has. What a power cut takes is up to the store: each commit
 * must be on the disk before it counts.
 */
describe.each(['embedded', 'postgres'] as const)('the %s store', (kind) => {
  let place: TestStore;
  let store: Store;
  beforeAll(async () => {
    place = await createTestStore(kind);
    store = await openStore(place);
  });
  afterAll(async () => {
    await store.close();
    await place.dispose();
  });

  async function setting(question: string): Promise<unknown> {
    const { rows } = await sql.raw<Record<string, unknown>>(question).execute(store.db);
    return Object.values(rows[0] ?? {})[0];
  }

  test('has each commit on the disk before it counts', async () => {
    if (kind === 'embedded') {
      expect(await setting('pragma journal_mode')).toBe('wal');
      // FULL: the log is flushed at every commit.
      expect(await setting('pragma synchronous')).toBe(2);
    } else {
      expect(await setting('show synchronous_commit')).toBe('on');
      expect(await setting('show fsync')).toBe('on');
    }
  });
});
