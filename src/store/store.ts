import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { Config } from '../config/config.js';
import { PostgresClock } from './clock/postgres-clock.js';
import { SqliteClock } from './clock/sqlite-clock.js';
import type { RunningStoreClock, StoreClock } from './clock/store-clock.js';
import { lockDataDir } from './data-dir-lock.js';
import type { Tables } from './database-types.js';
import { newId } from './ids.js';
import { prepareSchema } from './migrations.js';
import { PostgresBatch } from './postgres/batch.js';
import { CleanPostgresDialect } from './postgres/dialect.js';
import { SqliteBatch } from './sqlite/batch.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { asKyselyDatabase, openSqliteFile } from './sqlite/connection.js';
import { TransactionalSqliteDialect } from './sqlite/dialect.js';
import { claimIdentity, type StoreIdentity } from './store-identity.js';
import { PaymentWriter, type BatchExecutor, type WriteObserver } from './payment-writer.js';

/** PostgreSQL's bigint arrives as text by default. Every integer that is stored is a safe one. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

/**
 * Every query has an index (`test/load/query-plans.spec.ts`). PostgreSQL rightly scans a table of a few rows, but keeps
 * that plan for a prepared statement until the table is analyzed. While the table grows, payments would become slower
 * and slower for a minute or more.
 */
const PREFER_INDEXES = 'set enable_seqscan = off; set jit = off';

export interface StoreOptions {
  config: Config['store'];
  migrate: boolean;
  identity: StoreIdentity;
  observer?: WriteObserver;
}

/**
 * The store of one Tillfront: embedded (SQLite) or PostgreSQL, with the same queries. Payments and sessions are written
 * through `writer`; everything else is a single statement on `db`.
 */
export class Store {
  /** Names this process in leases and operations. */
  readonly owner = newId('own');
  /** The time by which rows are reckoned. No wall clock decides anything about them. */
  readonly clock: StoreClock;
  /** Resolves when the schema fits and the store is claimed. Nothing may be read or written before. */
  readonly prepared: Promise<void>;
  private isPrepared = false;
  private readonly tellPrepared: () => void;

  private constructor(
    readonly kind: 'embedded' | 'postgres',
    readonly db: Kysely<Tables>,
    readonly writer: PaymentWriter,
    private readonly running: RunningStoreClock,
    private readonly options: StoreOptions,
    private readonly end: () => Promise<void>,
  ) {
    this.clock = running;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.prepared = promise;
    this.tellPrepared = resolve;
  }

  /** Opens the store without reading it. Throws a message for a person where a data directory cannot be used. */
  static connect(options: StoreOptions): Store {
    const { config } = options;
    return config.kind === 'embedded' ? openEmbedded(options, config.dataDir) : openPostgres(options, config);
  }

  /**
   * Brings the schema up to date and claims the store. Throws `StoreUnavailable` where the store is unreachable, to be
   * tried again. Any other error needs a person.
   */
  async prepare(): Promise<void> {
    if (this.isPrepared) return;
    await prepareSchema(this.db, this.options.migrate);
    await claimIdentity(this.db, this.options.identity);
    await this.running.begin();
    this.isPrepared = true;
    this.tellPrepared();
  }

  /** Whether the store is prepared and answers. Readiness asks this. */
  async answers(): Promise<boolean> {
    if (!this.isPrepared) return false;
    try {
      await sql`select 1`.execute(this.db);
      return true;
    } catch {
      return false;
    }
  }

  /** Lets waiting writes finish, then closes. */
  async close(): Promise<void> {
    await this.writer.drained();
    this.running.end();
    await this.end();
  }

  /** Used by the two ways to open a store. */
  static of(
    kind: Store['kind'],
    db: Kysely<Tables>,
    { executor, clock }: { executor: BatchExecutor; clock: RunningStoreClock },
    options: StoreOptions,
    end: () => Promise<void>,
  ): Store {
    return new Store(kind, db, new PaymentWriter(executor, options.observer), clock, options, end);
  }
}

function openEmbedded(options: StoreOptions, dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(dataDir);
  const file = join(dataDir, 'tillfront.db');
  let database: DatabaseSync;
  try {
    database = openSqliteFile(file);
  } catch (error) {
    unlock();
    throw error;
  }
  const checkpoints = new Checkpoints(database, file);
  const { committed } = checkpoints;
  const db = new Kysely<Tables>({
    dialect: new TransactionalSqliteDialect({ database: asKyselyDatabase(database, committed) }),
  });
  const clock = new SqliteClock(database);
  const executor = new SqliteBatch(database, clock, committed);
  return Store.of('embedded', db, { executor, clock }, options, async () => {
    await checkpoints.end();
    await db.destroy();
    unlock();
  });
}

function openPostgres(options: StoreOptions, config: Extract<Config['store'], { kind: 'postgres' }>): Store {
  const pool = new pg.Pool({
    ...parseIntoClientConfig(config.url.unwrap()),
    // Read for each new connection, since it may change while the service runs.
    password: () => passwordOf(config.currentUrl.current() ?? config.url.unwrap()),
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'tillfront',
    // Lets a batch send statements without waiting for the answers in between.
    pipeline: true,
  });
  // An idle connection that breaks is replaced by the pool; without a listener the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // A connection that breaks in use fails its query or the next one. It must not end the process either.
    client.on('error', () => undefined);
    // If the database refuses this, its answers are still right, only slower while tables grow.
    client.query(PREFER_INDEXES).catch(() => undefined);
  });
  const db = new Kysely<Tables>({ dialect: new CleanPostgresDialect({ pool }) });
  const clock = new PostgresClock(pool);
  const executor = new PostgresBatch(pool, clock);
  return Store.of('postgres', db, { executor, clock }, options, () => db.destroy());
}

function passwordOf(url: string): string {
  return decodeURIComponent(new URL(url).password);
}
