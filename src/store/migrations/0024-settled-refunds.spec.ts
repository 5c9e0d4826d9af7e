import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { Kysely } from 'kysely';
import { DirectDialect } from '../../../test/harness/direct-sqlite.js';
import { settledRefunds } from './0024-settled-refunds.js';

test('the keys of refunds that were made before are kept for ever, and no others', async () => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<unknown>({ dialect: new DirectDialect(database) });
  for (const table of ['operations', 'payments']) database.exec(`create table ${table} (id text)`);
  database.exec('create table idempotency_keys (key text, operation_id text, expires_at bigint)');
  database.exec(`insert into idempotency_keys values
    ('refund', 'ref_1', 7), ('void', 'op_1', 7), ('session', null, 7), ('other', 'refX1', 7)`);
  await settledRefunds.up(db);
  const kept = database
    .prepare('select key, expires_at > 7 as lasts from idempotency_keys order by key')
    .all();
  expect(kept.filter(({ lasts }) => lasts === 1).map(({ key }) => key)).toEqual(['refund']);
  await db.destroy();
});
