import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { openStore } from '../../test/harness/event-store.js';
import { createEmptyStore, stores, type TestStore } from '../../test/harness/test-store.js';
import { NotificationsRepository } from './notifications.repository.js';
import type { NotificationRecord, Tables } from '../store/schema.js';
import { DirectDialect } from '../../test/harness/direct-sqlite.js';
import { initial } from '../store/migrations/0001-initial.js';

/** A store as version 0.1.0 has left it, with an inbox far over today's limits. */
async function oldStore({ databaseUrl, dataDir }: TestStore): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const dialect =
    databaseUrl === undefined
      ? new DirectDialect(new DatabaseSync(join(dataDir, 'tillfront.db')))
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) });
  const db = new Kysely<Tables>({ dialect });
  const provider = { getMigrations: () => Promise.resolve({ '0001-initial': initial }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error instanceof Error) throw error;
  const statuses: NotificationRecord['status'][] = ['received', 'applied', 'unmatched'];
  const rows = Array.from({ length: 300 }, (_, index) => {
    const status = statuses[index % 3] ?? 'received';
    const paymentId = status === 'unmatched' ? null : 'pay_1';
    return {
      ...{
        id: `ntf_${index}`,
        received_at: index,
        digest: `d${index}`,
        media_type: '',
        body: 'x'.repeat(100),
      },
      ...{ reference: paymentId, payment_id: paymentId, status, repeats: 0, processed_at: null },
    };
  });
  await db.insertInto('notifications').values(rows).execute();
  await db.destroy();
}

describe.each(stores)('a filled store of 0.1.0 on the %s store', (kind) => {
  let place: TestStore;
  beforeEach(async () => {
    place = await createEmptyStore(kind);
    await oldStore(place);
  });
  afterEach(() => place.dispose());

  test('loses nothing by the migration, and is brought within the limits afterwards', async () => {
    const store = await openStore(place);
    try {
      const inbox = new NotificationsRepository(store);
      const count = async () => (await store.db.selectFrom('notifications').select('id').execute()).length;
      expect(await count()).toBe(300);
      expect(await inbox.waitingPayments('', 10_000, 10)).toEqual(['pay_1']);
      expect(await inbox.waitingOf('pay_1')).toHaveLength(100);
      expect(await inbox.prune(['pay_1'], 1_000)).toBe(150);
      expect(await inbox.waitingOf('pay_1')).toHaveLength(50);
      expect(await inbox.trimUnmatched(40)).toBe(60);
      expect(await inbox.removeOld(290, 100)).toBeGreaterThan(0);
    } finally {
      await store.close();
    }
  });
});
