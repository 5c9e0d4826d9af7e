import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { migrations } from '../../src/store/migrations.js';
import { CleanPostgresDialect } from '../../src/store/postgres/dialect.js';
import { openSqliteFile } from '../../src/store/sqlite/connection.js';
import { DirectDialect } from './direct-sqlite.js';
import { createEmptyStore, type StoreKind, type TestStore } from './test-store.js';

/** Columns that have another name since, by what they are called now. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  next_status_check_at: 'ask_at',
  status_check_count: 'ask_count',
  last_timeline_note: 'last_finding',
};

/** The last migration of each former version. */
const LAST_MIGRATION = { '0.1.0': '0001-initial', '0.2.0': '0021-refund-baseline' } as const;
export type FormerVersion = keyof typeof LAST_MIGRATION;

/** Rows by table. Columns may have the names of today; those that the version did not have are left out. */
export type FormerRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/**
 * A store with the schema of a former version and rows from that time. No service of the current version has started on it
 * yet. What that schema had no column for is left out of the rows, so that today's records can stand for its own.
 */
export async function createFormerStore(
  kind: StoreKind,
  rows: FormerRows,
  version: FormerVersion = '0.1.0',
): Promise<TestStore> {
  const store = await createEmptyStore(kind);
  const dialect =
    store.databaseUrl === undefined
      ? new DirectDialect(openSqliteFile(join(store.dataDir, 'tillfront.db')))
      : new CleanPostgresDialect({ pool: new pg.Pool({ connectionString: store.databaseUrl }) });
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect });
  try {
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
    const { error } = await new Migrator({ db, provider }).migrateTo(LAST_MIGRATION[version]);
    if (error !== undefined) throw new Error('The former schema could not be made', { cause: error });
    const tables = await db.introspection.getTables();
    for (const [table, records] of Object.entries(rows)) {
      const columns = new Set(tables.find(({ name }) => name === table)?.columns.map(({ name }) => name));
      for (const record of records) await db.insertInto(table).values(formerly(record, columns)).execute();
    }
  } finally {
    await db.destroy();
  }
  return store;
}

function formerly(
  record: Readonly<Record<string, unknown>>,
  columns: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record)
      .map(([name, value]) => [columns.has(name) ? name : (FORMER_NAMES[name] ?? name), value] as const)
      .filter(([name]) => columns.has(name)),
  );
}
