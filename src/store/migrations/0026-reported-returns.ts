import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The rows of settlement reports that say that money went back. One report alone cannot tell a refund of the gateway's dashboard
 * from one of this service of the same sum; all reports together can.
 */
const statements = [
  `create table settlement_returns (
    settlement_id text not null,
    line bigint not null,
    reference text not null,
    kind text not null,
    identity text not null,
    amount text not null,
    decimals bigint,
    currency text,
    primary key (settlement_id, line)
  )`,
  'create index settlement_returns_reference on settlement_returns (reference, kind)',
];

export const reportedReturns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || statement.startsWith('create index');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
  },
};
