import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the books need, laid out together with the rest: payments by every filter of their list, refunds, who did what, and
 * settlement reports with what differs. Times and days need no index of their own: ids begin with the time, so a stretch of time is
 * one of the key.
 */
const statements = [
  'create index payments_method on payments (method, id)',
  'create index payments_amount on payments (amount, id)',
  'create index payments_last4 on payments (card_last4, id) where card_last4 is not null',
  'alter table operations add column reason text',
  'alter table operations add column refund_reference text',
  `create unique index operations_refund on operations (refund_reference) where refund_reference is not null`,
  // In the one order of all batches, as events are.
  `create table audit (
    id text primary key, batch bigint not null, ordinal bigint not null, at bigint not null, actor text not null,
    action text not null, object text, address text, request_id text, outcome text not null)`,
  'create unique index audit_place on audit (batch, ordinal)',
  `create table settlements (
    id text primary key, digest text not null, received_at bigint not null, actor text not null,
    first_at bigint, last_at bigint, row_count bigint not null, counts text not null)`,
  'create unique index settlements_digest on settlements (digest)',
  `create table settlement_differences (
    settlement_id text not null, number bigint not null, kind text not null, line bigint, reference text not null,
    payment_id text, primary key (settlement_id, number))`,
  'create index settlement_differences_kind on settlement_differences (settlement_id, kind, number)',
];

export const books: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || statement.startsWith('create index') || statement.startsWith('create unique');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
