import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { PostgresClock } from './clock/postgres-clock.js';
import { SqliteClock } from './clock/sqlite-clock.js';
import type { RunningStoreClock, StoreClock } from './clock/store-clock.js';
import { lockDataDir } from './data-dir-lock.js';
import type { Tables } from './database-types.js';
import type { Epoch } from './history/epoch.js';
import { EmbeddedHistory } from './history/embedded-history.js';
import { PostgresHistory } from './history/postgres-history.js';
import type { HistoryObserver, StoreFault } from './history/store-fault.js';
import { StoreElsewhere } from './history/store-elsewhere.js';
import { EMBEDDED_WITNESS, WitnessFile } from './history/witness-file.js';
import { newId } from './ids.js';
import { prepareSchema } from './migrations.js';
import { PostgresBatch } from './postgres/batch.js';
import { PostgresConnections } from './postgres/connections.js';
import { CleanPostgresDialect } from './postgres/dialect.js';
import { SqliteBatch } from './sqlite/batch.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { asKyselyDatabase, openSqliteFile, type WriteWatch } from './sqlite/connection.js';
import { TransactionalSqliteDialect } from './sqlite/dialect.js';
import { claimIdentity, type StoreIdentity } from './store-identity.js';
import { PaymentWriter, type BatchExecutor, type WriteObserver } from './payment-writer.js';

/** PostgreSQL's bigint arrives as text by default. Every integer that is stored is a safe one. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface StoreOptions {
  config: Config['store'];
  migrate: boolean;
  identity: StoreIdentity;
  observer?: WriteObserver;
  /** Hears of what becomes of the store's history. */
  history?: HistoryObserver;
}

/** Holds the store against what was answered before. */
interface StoreGuard {
  readonly fault: StoreFault | undefined;
  /** Throws `StoreUnavailable` before `begin`. */
  readonly epoch: Epoch;
  /** Called once, when the schema is there. Throws where the store cannot be read. */
  begin(): Promise<void>;
  /** A start did not succeed, and will be tried again. */
  startFailed(): void;
  /** Gives connections without a bound on time. Absent: there is none to lift. */
  withPatience?: (work: (db: Kysely<Tables>) => Promise<void>) => Promise<void>;
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
    private readonly guard: StoreGuard,
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
    try {
      await prepareSchema(this.db, this.options.migrate, this.guard.withPatience);
      await claimIdentity(this.db, this.options.identity);
      await this.running.begin();
      await this.guard.begin();
    } catch (error) {
      this.guard.startFailed();
      throw error;
    }
    this.isPrepared = true;
    this.tellPrepared();
  }

  /** Why the store must not be used although it answers: it has forgotten what it had confirmed, or takes no writes. */
  get fault(): StoreFault | undefined {
    return this.guard.fault;
  }

  /**
   * The epoch in which numbers are given out now: see `Epoch`. Every replica knows a new one before it writes again. Throws
   * `StoreUnavailable` where the store was not looked at yet.
   */
  get epoch(): Epoch {
    return this.guard.epoch;
  }

  /** Whether the store is prepared, answers, and may be used. Readiness asks this. */
  async answers(): Promise<boolean> {
    if (!this.isPrepared || this.fault) return false;
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
    try {
      this.running.end();
    } finally {
      await this.end();
    }
  }

  /** Used by the two ways to open a store. */
  static of(
    kind: Store['kind'],
    db: Kysely<Tables>,
    { executor, clock, guard }: { executor: BatchExecutor; clock: RunningStoreClock; guard: StoreGuard },
    options: StoreOptions,
    end: () => Promise<void>,
  ): Store {
    return new Store(kind, db, new PaymentWriter(executor, options.observer), clock, guard, options, end);
  }
}

function openEmbedded(options: StoreOptions, dataDir: string): Store {
  const moved = new WitnessFile(dataDir);
  if (moved.exists) throw StoreElsewhere.inPostgres(moved.path);
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
  const witness = new WitnessFile(dataDir, EMBEDDED_WITNESS);
  const clock = new SqliteClock(database);
  const owner = newId('own');
  const history = new EmbeddedHistory(database, { file, witness, clock, owner }, options.history);
  const { assertUsable } = history;
  const watch: WriteWatch = {
    before: assertUsable,
    after: () => {
      checkpoints.committed();
      assertUsable();
    },
    failed: history.look,
    beside: () => {
      executor.forget();
    },
  };
  const db = new Kysely<Tables>({
    dialect: new TransactionalSqliteDialect({ database: asKyselyDatabase(database, watch) }),
  });
  const executor = new SqliteBatch(database, clock, watch);
  const guard: StoreGuard = {
    get fault() {
      return history.fault;
    },
    get epoch() {
      return history.epoch;
    },
    begin: async () => {
      await history.begin();
      clock.startKeeping();
    },
    startFailed: () => undefined,
  };
  return Store.of('embedded', db, { executor, clock, guard }, options, async () => {
    try {
      await history.end();
      await checkpoints.end();
    } finally {
      try {
        await db.destroy();
      } finally {
        unlock();
      }
    }
  });
}

function openPostgres(options: StoreOptions, config: Extract<Config['store'], { kind: 'postgres' }>): Store {
  const owner = newId('own');
  const history = new PostgresHistory(owner, new WitnessFile(config.dataDir), options.history);
  const { pooler } = config;
  const connections = new PostgresConnections({ url: config.currentUrl, pooler, history });
  const db = new Kysely<Tables>({ dialect: new CleanPostgresDialect({ pool: connections }) });
  const clock = new PostgresClock(connections, pooler ? history : undefined);
  const executor = new PostgresBatch(connections, { clock, history, pooler });
  const guard: StoreGuard = {
    get fault() {
      return connections.fault;
    },
    get epoch() {
      return history.epoch;
    },
    begin: () => connections.begin(),
    startFailed: () => {
      connections.startFailed();
    },
    withPatience: (work) =>
      connections.withPatience((pool) =>
        work(new Kysely<Tables>({ dialect: new CleanPostgresDialect({ pool }) })),
      ),
  };
  return Store.of('postgres', db, { executor, clock, guard }, options, () => db.destroy());
}
