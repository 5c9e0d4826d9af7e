/**
 * Needs room where the database is: rows that do not fit into the working memory go to a temporary file, which no disk ever sees where there
 * is room. It writes nothing of the store's.
 */
const ROOM = `set local work_mem = '64kB';
  select set_config('temp_tablespaces', spcname, true) from pg_tablespace space join pg_class tables on tables.reltablespace = space.oid
    where tables.oid = to_regclass('payments') and has_tablespace_privilege(space.oid, 'create');
  select count(*) from generate_series(1, 10000)`;

/** Statements for one message that fail where the database has no room. They change nothing, so that a doctor may send them too. */
export const TRY_ROOM = `begin; ${ROOM}; commit`;

/**
 * Statements for one message that fail where nothing can be committed: the database is a standby, read-only, full, or waits for a standby
 * that is away. They change one row in place.
 */
export const TRY_WRITE = `begin; ${ROOM};
  insert into meta (name, value) values ('tried_at', clock_timestamp()::text) on conflict (name) do update set value = excluded.value;
  commit`;
