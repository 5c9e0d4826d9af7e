import { Kysely, type Dialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../src/store/schema.js';
import { prepareSchema } from '../../src/store/migrations.js';
import { CleanPostgresDialect } from '../../src/store/postgres/dialect.js';
import { openSqliteFile } from '../../src/store/sqlite/connection.js';
import { DirectDialect } from '../harness/direct-sqlite.js';

/** Makes an embedded store's file with the schema of today and no rows. */
export function makeEmbeddedSchema(file: string): Promise<void> {
  return prepare(new DirectDialect(openSqliteFile(file)));
}

/** Gives an empty PostgreSQL database the schema of today, and no rows. */
export function makePostgresSchema(url: string): Promise<void> {
  return prepare(new CleanPostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }));
}

async function prepare(dialect: Dialect): Promise<void> {
  const db = new Kysely<Tables>({ dialect });
  try {
    await prepareSchema(db, true);
  } finally {
    await db.destroy();
  }
}
