import { lockDataDir } from './data-dir.js';
import { absent, type Driver } from './driver.js';
import { Heartbeat } from './heartbeat.js';
import { newId } from './ids.js';
import { MarkFile } from './mark-file.js';
import { PostgresDriver } from './postgres/postgres-driver.js';
import type { StoreIdentity } from './prepare.js';
import { SqliteDriver } from './sqlite/sqlite-driver.js';
import { StoreUnavailable } from './store-unavailable.js';
import type { Change, Decide, Sql, Store, Stored, WriteOptions } from './store.js';
import { Writer } from './writer.js';

export type StorePlace =
  | { kind: 'embedded'; dataDir: string }
  /** The address is asked for at each connection. */
  | { kind: 'postgres'; currentUrl: () => string; dataDir: string };

export interface StoreOptions {
  place: StorePlace;
  migrate: boolean;
  identity: StoreIdentity;
  /** What nothing can be done about: the process should end. */
  crashed?: (error: Error) => void;
}

/** While the store cannot be reached at a start. */
const TRY_AGAIN_MS = 1_000;

/** The store, opened. Nothing can be read or written before it is prepared. */
export class OpenedStore implements Store {
  readonly kind: 'embedded' | 'postgres';
  readonly process = newId('own');
  private readonly driver: Driver;
  private readonly writer: Writer;
  private readonly heartbeat: Heartbeat;
  private readonly markFile: MarkFile;
  private readonly listeners: ((change: Change) => void)[] = [];
  private storeId: string | undefined;
  private unprepared = 'it is being prepared';
  private closed = false;
  private retry: NodeJS.Timeout | undefined;
  private readonly release: () => void;

  /** Throws a message for a person where the data directory cannot be used. Reads nothing. */
  constructor(private readonly options: StoreOptions) {
    const { place } = options;
    this.kind = place.kind;
    this.release = place.kind === 'embedded' ? lockDataDir(place.dataDir) : () => undefined;
    this.driver =
      place.kind === 'embedded'
        ? new SqliteDriver(place.dataDir, this.crashed)
        : new PostgresDriver(place.currentUrl, this.process);
    this.markFile = new MarkFile(place.dataDir, () => ({
      store: this.storeId ?? '',
      marks: Object.fromEntries(this.driver.marks),
    }));
    this.heartbeat = new Heartbeat(this.driver, this.process, () => {
      this.writer.forget();
    });
    this.writer = new Writer(
      this.driver,
      () => this.now(),
      (change) => {
        this.markFile.note();
        this.tell(change);
      },
    );
  }

  /**
   * Prepares the store. Where it cannot be reached yet, that goes on in the background, and this resolves: readiness says why. Throws what
   * needs a person.
   */
  async begin(): Promise<void> {
    try {
      await this.prepare();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || this.kind === 'embedded') throw error;
      this.unprepared = error.reason;
      this.prepareLater();
    }
  }

  /** Prepares the store. Throws `StoreUnavailable` where it cannot be reached. */
  async prepare(): Promise<void> {
    const { migrate, identity } = this.options;
    const id = await this.driver.prepare({ migrate, identity });
    await this.heartbeat.begin(await this.hasForgotten(id));
    this.storeId = id;
    await this.markFile.flush();
  }

  write<T>(reference: string, decide: Decide<T>, options?: WriteOptions): Promise<T> {
    if (this.storeId === undefined) return Promise.reject(new StoreUnavailable(this.unprepared));
    return this.writer.write(reference, decide, options).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) this.heartbeat.doubt();
      throw error;
    });
  }

  async read(reference: string): Promise<Stored> {
    this.assertPrepared();
    return (await this.driver.load([reference])).get(reference) ?? absent(reference);
  }

  async rows<R>(question: Sql): Promise<R[]> {
    this.assertPrepared();
    return this.driver.rows(question);
  }

  async returning<R>(statement: Sql): Promise<R[]> {
    this.assertPrepared();
    return this.driver.returning(statement);
  }

  async run(statement: Sql): Promise<number> {
    this.assertPrepared();
    return this.driver.run(statement);
  }

  async lease(name: string, ms: number): Promise<boolean> {
    const { nowSql } = this.driver;
    const changed = await this.run({
      text: `insert into leases (name, owner, until) values (?, ?, ${nowSql} + ?)
        on conflict (name) do update set owner = excluded.owner, until = excluded.until
        where leases.owner = excluded.owner or leases.until < ${nowSql}`,
      values: [name, this.process, ms],
    });
    return changed === 1;
  }

  onCommitted(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  onLoss(listener: (restoredAt: number) => void): void {
    this.heartbeat.onLoss(listener);
  }

  now(): number {
    return this.heartbeat.clock.now();
  }

  async unusable(): Promise<string | undefined> {
    if (this.closed) return 'it is closed';
    if (this.storeId === undefined) return this.unprepared;
    return this.driver.fault() ?? (await this.heartbeat.problem());
  }

  get restoredAt(): number | undefined {
    return this.heartbeat.restoredAt;
  }

  get lossSeenAt(): number | undefined {
    return this.heartbeat.lossSeenAt;
  }

  /** Lets what is under way finish. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.retry);
    await this.writer.close();
    if (this.storeId !== undefined) {
      await this.heartbeat.end();
      await this.markFile.flush();
    }
    await this.driver.close();
    this.release();
  }

  /** Whether what was remembered beside the store is missing in it. */
  private async hasForgotten(id: string): Promise<boolean> {
    const kept = this.markFile.read();
    // A backup in an empty folder: nobody knows what was committed after it was made. Other processes may well use PostgreSQL first.
    if (!kept) return this.kind === 'embedded' && (await this.hasOrders());
    if (kept.store !== id) return true;
    for (const [writer, mark] of Object.entries(kept.marks)) {
      const [row] = await this.driver.rows<{ mark: number }>({
        text: 'select mark from marks where writer = ?',
        values: [writer],
        lookup: true,
      });
      if (row === undefined || row.mark < mark) return true;
    }
    return false;
  }

  private async hasOrders(): Promise<boolean> {
    const rows = await this.driver.rows({ text: 'select 1 as found from orders limit 1', lookup: true });
    return rows.length > 0;
  }

  /** It is committed, whatever a listener makes of it. */
  private tell(change: Change): void {
    try {
      for (const listener of this.listeners) listener(change);
    } catch (error) {
      this.crashed(error instanceof Error ? error : new Error('A listener has failed', { cause: error }));
    }
  }

  private prepareLater(): void {
    this.retry = setTimeout(() => {
      if (this.closed) return;
      this.begin().catch((error: unknown) => {
        this.crashed(
          error instanceof Error ? error : new Error('The store cannot be prepared', { cause: error }),
        );
      });
    }, TRY_AGAIN_MS).unref();
  }

  private readonly crashed = (error: Error): void => {
    const { crashed } = this.options;
    if (crashed) crashed(error);
    else
      setImmediate(() => {
        throw error;
      });
  };

  private assertPrepared(): void {
    if (this.storeId === undefined) throw new StoreUnavailable(this.unprepared);
  }
}
