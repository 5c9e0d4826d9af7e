import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a person asked for and another one has to approve. Their ids are in the order of their times. */
const statements = [
  `create table approvals (
    id text not null primary key,
    kind text not null,
    state text not null,
    reference text not null,
    payment_id text,
    object_id text,
    amount text not null,
    currency text not null,
    wanted text not null,
    text_id text,
    actor text not null,
    created_at bigint not null,
    expires_at bigint not null,
    decided_by text,
    decided_at bigint,
    decision_text_id text,
    operation_id text,
    done_at bigint
  )`,
  'create index approvals_state on approvals (state, id)',
  'create index approvals_payment on approvals (payment_id, id) where payment_id is not null',
  'create index approvals_object on approvals (object_id, id) where object_id is not null',
  "create index approvals_undone on approvals (id) where state = 'approved' and done_at is null",
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
