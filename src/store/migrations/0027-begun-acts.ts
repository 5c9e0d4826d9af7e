import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import {
  ADD_ONLY_TABLES,
  MIGRATION_TABLES,
  NOT_IN_ADD_ONLY,
  NOT_IN_MIGRATION_TABLES,
  takeBack,
} from '../guarded-tables.js';

/**
 * What was begun has a table of its own, so that an entry of the audit is written once, with its outcome, and a role that may only
 * add to the audit is enough. What is under way while this runs ends as it would have.
 */
const statements = [
  `create table begun_acts (
    id text primary key, at bigint not null, actor text not null, action text not null, object text,
    address text, request_id text, owner text not null)`,
  'create index begun_acts_at on begun_acts (at)',
  `insert into begun_acts (id, at, actor, action, object, address, request_id, owner)
    select id, at, actor, action, object, address, request_id, owner from audit where position is null`,
  'delete from audit where position is null',
  'drop index audit_begun',
];

export const begunActs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || !statement.startsWith('create table');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
    if (isSqlite) return;
    await takeBack(db, NOT_IN_MIGRATION_TABLES, MIGRATION_TABLES);
    // Where a service has run, replicas of the former version may still have to change what they have begun.
    const { rows } = await sql`select 1 from meta limit 1`.execute(db);
    if (rows.length === 0) await takeBack(db, NOT_IN_ADD_ONLY, ADD_ONLY_TABLES);
  },
};
