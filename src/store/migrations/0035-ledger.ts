import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { NOT_IN_ADD_ONLY, takeBack } from '../guarded-tables.js';

/** The ledger: each move of money is an entry that never changes. What people wrote and which report has settled it stand beside it. */
const statements = [
  `create table movements (
    id text not null primary key,
    payment_id text not null,
    kind text not null,
    direction text not null,
    amount text not null,
    currency text not null,
    method text not null,
    at bigint not null,
    recorded_at bigint not null,
    reference text not null,
    gateway_reference text not null,
    transaction_ref text,
    refund_id text,
    text_id text,
    actor text not null,
    source text not null
  )`,
  'create index movements_at on movements (at, id)',
  'create index movements_payment on movements (payment_id)',
  `create table written_texts (
    id text not null primary key,
    payment_id text,
    content text,
    actor text not null,
    at bigint not null
  )`,
  'create index written_texts_payment on written_texts (payment_id) where payment_id is not null',
  `create table settlement_matches (
    settlement_id text not null,
    line bigint not null,
    movement_id text not null,
    gross text not null,
    fee text,
    net text,
    at bigint,
    primary key (settlement_id, line)
  )`,
  'create index settlement_matches_movement on settlement_matches (movement_id)',
];

export const ledger: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || statement.startsWith('create index');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
    if (!isSqlite) await takeBack(db, NOT_IN_ADD_ONLY, ['movements']);
  },
};
