import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { Batches } from './batch.js';
import { PostgresClock } from './clock/postgres-clock.js';
import { SqliteClock } from './clock/sqlite-clock.js';
import type { RunningStoreClock, StoreClock } from './clock/store-clock.js';
import { lockDataDir } from './data-dir-lock.js';
import { DataDirUnusable } from './data-dir-unusable.js';
import type { Tables } from './schema.js';
import type { StoreDriver } from './driver.js';
import type { WriteLine } from './history/embedded-loss.js';
import type { Epoch } from './history/epoch.js';
import { EmbeddedHistory } from './history/embedded-history.js';
import { PostgresHistory } from './history/postgres-history.js';
import type { HistoryObserver, StoreFault } from './history/store-fault.js';
import { StoreElsewhere } from './history/store-elsewhere.js';
import { EMBEDDED_WITNESS, WitnessFile } from './history/witness-file.js';
import { newId } from './ids.js';
import { prepareSchema } from './migrations.js';
import { PostgresConnections } from './postgres/connections.js';
import { CleanPostgresDialect } from './postgres/dialect.js';
import { PostgresDriver } from './postgres/session.js';
import { openSqliteFile } from './sqlite/connection.js';
import { EmbeddedDialect } from './sqlite/dialect.js';
import { misplacedFile } from './sqlite/misplaced-file.js';
import { SqliteDriver, type WriteWatch } from './sqlite/session.js';
import { WriterThread } from './sqlite/writer.js';
import { tryWriteSqlite } from './sqlite/try-write.js';
import { claimIdentity, type StoreIdentity } from './store-identity.js';
import { StoreUnavailable } from './store-unavailable.js';
import { WriteProof } from './write-proof.js';
import { PaymentWriter, type WriteObserver } from './payment-writer.js';

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
  /** Why it cannot be used, as it was last looked at. */
  readonly fault: StoreFault | undefined;
  /** Rejects where a write is not confirmed: see `WriteProof`. */
  tryWrite(asMuch: boolean): Promise<void>;
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
  readonly writer: PaymentWriter;
  /** Resolves when the schema fits and the store is claimed. Nothing may be read or written before. */
  readonly prepared: Promise<void>;
  private isPrepared = false;
  private unprepared: StoreFault = { kind: 'unreachable', message: 'it is being prepared' };
  /** The last fault that no history has told of. */
  private told: string | undefined;
  private readonly proof: WriteProof;
  private readonly tellPrepared: () => void;

  private constructor(
    readonly kind: 'embedded' | 'postgres',
    readonly db: Kysely<Tables>,
    driver: StoreDriver,
    private readonly running: RunningStoreClock,
    private readonly guard: StoreGuard,
    private readonly options: StoreOptions,
    private readonly end: () => Promise<void>,
  ) {
    this.clock = running;
    this.proof = new WriteProof((asMuch) => guard.tryWrite(asMuch));
    this.writer = new PaymentWriter(new Batches(driver), options.observer, this.proof);
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
      if (error instanceof StoreUnavailable) this.unprepared = { kind: 'unreachable', message: error.reason };
      throw error;
    }
    this.isPrepared = true;
    this.tellPrepared();
  }

  /**
   * The epoch in which numbers are given out now: see `Epoch`. Every replica knows a new one before it writes again. Throws
   * `StoreUnavailable` where the store was not looked at yet.
   */
  get epoch(): Epoch {
    return this.guard.epoch;
  }

  /**
   * Why no payment could be recorded now, undefined where one could. Readiness asks this: see `WriteProof` for what that
   * costs. Rejects never.
   */
  async unusable(): Promise<StoreFault | undefined> {
    if (!this.isPrepared) return this.unprepared;
    let { fault } = this.guard;
    if (!fault) {
      const message = await this.proof.reason();
      // What is wrong with its history may have been found meanwhile.
      fault = this.guard.fault ?? (message === undefined ? undefined : { kind: 'no-writes', message });
    }
    this.tell(fault);
    return fault;
  }

  /** The store's history tells of its own faults, and of their end. */
  private tell(fault: StoreFault | undefined): void {
    const message = fault && ['no-writes', 'unreachable'].includes(fault.kind) ? fault.message : undefined;
    if (message === this.told) return;
    this.told = message;
    if (fault) this.options.history?.fault?.(fault);
    else this.options.history?.whole?.({ moved: false, accepted: false });
  }

  /** Lets waiting writes finish, then closes. */
  async close(): Promise<void> {
    await this.writer.drained();
    try {
      await this.running.end();
    } finally {
      await this.end();
    }
  }

  /** Used by the two ways to open a store. */
  static of(
    kind: Store['kind'],
    db: Kysely<Tables>,
    { driver, clock, guard }: { driver: StoreDriver; clock: RunningStoreClock; guard: StoreGuard },
    options: StoreOptions,
    end: () => Promise<void>,
  ): Store {
    return new Store(kind, db, driver, clock, guard, options, end);
  }
}

function openEmbedded(options: StoreOptions, dataDir: string): Store {
  const moved = new WitnessFile(dataDir);
  if (moved.exists) throw StoreElsewhere.inPostgres(moved.path);
  const witness = new WitnessFile(dataDir, EMBEDDED_WITNESS);
  const file = join(dataDir, 'tillfront.db');
  const { database, unlock } = DataDirUnusable.guard(dataDir, () => openDataDir(dataDir, { file, witness }));
  // From here on only the thread writes.
  database.exec('pragma query_only = on');
  const writer = new WriterThread(file, endProcess);
  const clock = new SqliteClock(database, writer);
  const owner = newId('own');
  const write: WriteLine = (sql, values) => writer.run({ kind: 'statement', sql, values, beside: false });
  const history = new EmbeddedHistory(database, { file, witness, clock, owner, write }, options.history);
  const { assertUsable } = history;
  const watch: WriteWatch = { before: assertUsable, after: assertUsable, failed: history.look };
  const db = new Kysely<Tables>({ dialect: new EmbeddedDialect({ database, writer, watch }) });
  const driver = new SqliteDriver({ database, writer, clock, watch });
  const guard: StoreGuard = {
    get fault() {
      return history.fault;
    },
    tryWrite: (asMuch) => tryWriteSqlite(db, clock.now(), asMuch),
    get epoch() {
      return history.epoch;
    },
    begin: async () => {
      await history.begin();
      clock.startKeeping();
    },
    startFailed: () => undefined,
  };
  return Store.of('embedded', db, { driver, clock, guard }, options, async () => {
    try {
      await history.end();
      await db.destroy();
      database.close();
      // The last connection that closes copies the log into the database and removes it.
      await writer.end();
    } finally {
      unlock();
    }
  });
}

/** Nothing can be written any more, so this is nobody's to handle: the process ends as with any error that nobody has caught. */
function endProcess(error: Error): void {
  throw error;
}

/** Takes the directory for this process, and opens its database. */
function openDataDir(
  dataDir: string,
  { file, witness }: { file: string; witness: WitnessFile },
): { database: DatabaseSync; unlock: () => void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataDir(dataDir);
  try {
    const misplaced = misplacedFile(file, { held: false, known: witness.exists });
    if (misplaced !== undefined) throw StoreElsewhere.misplaced(misplaced);
    return { database: openSqliteFile(file), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openPostgres(options: StoreOptions, config: Extract<Config['store'], { kind: 'postgres' }>): Store {
  const owner = newId('own');
  const history = new PostgresHistory(owner, new WitnessFile(config.dataDir), options.history);
  const connections = new PostgresConnections({ url: config.currentUrl, pooler: false, history });
  const db = new Kysely<Tables>({ dialect: new CleanPostgresDialect({ pool: connections }) });
  const clock = new PostgresClock(connections);
  const driver = new PostgresDriver(connections, { clock, history, pooler: false });
  const guard: StoreGuard = {
    get fault() {
      return connections.fault;
    },
    tryWrite: () => connections.tryWrite(),
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
  return Store.of('postgres', db, { driver, clock, guard }, options, () => db.destroy());
}
