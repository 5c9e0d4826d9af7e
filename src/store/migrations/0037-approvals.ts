import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a person asked for and another one has to approve. Their ids are in the order of their times. */
const statements = [
  `create table approvals (
    id text not null primary key, state text not null, reference text not null, payment_id text not null,
    amount text not null, currency text not null, reason text, actor text not null, created_at bigint not null,
    expires_at bigint not null, decided_by text, decided_at bigint, note text, operation_id text)`,
  'create index approvals_state on approvals (state, id)',
  'create index approvals_payment on approvals (payment_id, id)',
];

export const approvals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || statement.startsWith('create index');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
