import { sql, type Kysely } from 'kysely';

/** What a replica's role may add rows to, and nothing more: the tables of which nobody may take anything back. */
export const ADD_ONLY_TABLES: readonly string[] = ['audit', 'movements'];
export const NOT_IN_ADD_ONLY = 'update, delete, truncate';

/** What only a migration writes. */
export const MIGRATION_TABLES: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];
export const NOT_IN_MIGRATION_TABLES = `insert, ${NOT_IN_ADD_ONLY}`;

/**
 * Takes rights in tables back from every role but their owner, who migrates. A role that is prepared before the first migration can only be
 * given the same rights in all tables that come, so each migration that makes a guarded one calls this. On PostgreSQL only.
 */
export async function takeBack(
  db: Kysely<unknown>,
  rights: string,
  tables: readonly string[],
): Promise<void> {
  const names = tables.map((table) => `'${table}'`).join(', ');
  const block = `do $$ declare given record; begin
    for given in
      select distinct table_schema, table_name, grantee from information_schema.role_table_grants
      where table_schema = current_schema() and table_name in (${names})
        and grantor = current_user and grantee not in (current_user, 'PUBLIC')
    loop
      execute format('revoke ${rights} on table %I.%I from %I', given.table_schema, given.table_name, given.grantee);
    end loop;
  end $$`;
  await sql.raw(block).execute(db);
}
