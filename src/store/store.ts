import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { lockDataDir } from './data-dir-lock.js';
import type { Tables } from './database-types.js';
import { newId } from './ids.js';
import { prepareSchema } from './migrations.js';
import { PostgresBatch, asPostgresUnavailable } from './postgres-batch.js';
import { SqliteBatch } from './sqlite-batch.js';
import { asKyselyDatabase, openSqliteFile } from './sqlite-connection.js';
import { claimIdentity, type StoreIdentity } from './store-identity.js';
import { WriteSeam, type SeamObserver } from './write-seam.js';

/** PostgreSQL's bigint comes as text by default; every integer that is stored is a safe one. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

export interface StoreOptions {
  config: Config['store'];
  migrate: boolean;
  identity: StoreIdentity;
  observer?: SeamObserver;
}

/**
 * The store of one Tillfront: the embedded one (SQLite) or PostgreSQL, behind the same queries.
 * Moves of payments and sessions go through `seam`; everything else is a single statement on `db`.
 */
export class Store {
  /** Names this process in leases and operations. */
  readonly owner = newId('own');

  private constructor(
    readonly kind: 'embedded' | 'postgres',
    readonly db: Kysely<Tables>,
    readonly seam: WriteSeam,
    private readonly end: () => Promise<void>,
  ) {}

  /** Opens, migrates and claims the store. Throws a message for a person where that cannot be done. */
  static async open(options: StoreOptions): Promise<Store> {
    const store =
      options.config.kind === 'embedded'
        ? Store.openEmbedded(options.config.dataDir, options.observer)
        : Store.openPostgres(options.config.url.unwrap(), options.observer);
    try {
      await prepareSchema(store.db, options.migrate);
      await claimIdentity(store.db, options.identity);
      return store;
    } catch (error) {
      await store.close();
      throw store.kind === 'postgres' ? asPostgresUnavailable(error) : error;
    }
  }

  /** Whether the store answers: for readiness. */
  async ping(): Promise<boolean> {
    try {
      await sql`select 1`.execute(this.db);
      return true;
    } catch {
      return false;
    }
  }

  /** Lets waiting writes finish, then closes. */
  async close(): Promise<void> {
    await this.seam.drained();
    await this.end();
  }

  private static openEmbedded(dataDir: string, observer?: SeamObserver): Store {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const unlock = lockDataDir(dataDir);
    let database: DatabaseSync;
    try {
      database = openSqliteFile(join(dataDir, 'tillfront.db'));
    } catch (error) {
      unlock();
      throw error;
    }
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKyselyDatabase(database) }) });
    return new Store('embedded', db, new WriteSeam(new SqliteBatch(database), observer), async () => {
      await db.destroy();
      unlock();
    });
  }

  private static openPostgres(url: string, observer?: SeamObserver): Store {
    const pool = new pg.Pool({
      connectionString: url,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      application_name: 'tillfront',
    });
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    pool.on('error', () => undefined);
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    return new Store('postgres', db, new WriteSeam(new PostgresBatch(pool), observer), () => db.destroy());
  }
}
