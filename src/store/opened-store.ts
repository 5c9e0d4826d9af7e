import { lockDataDir } from './data-dir.js';
import { loadOrderOf, loadOrders, type Driver } from './driver.js';
import { Heartbeat } from './heartbeat.js';
import { newId } from './ids.js';
import { MarkFile } from './mark-file.js';
import { PostgresDriver } from './postgres/postgres-driver.js';
import { prepareStore, type StoreIdentity } from './prepare.js';
import { NOW, type StoreKind } from './schema.js';
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
}

/** While the store cannot be reached at a start. */
const TRY_AGAIN_MS = 1_000;

/** The store, opened. Nothing can be read or written before it is prepared. */
export class OpenedStore implements Store {
  readonly kind: StoreKind;
  readonly process = newId('own');
  private readonly driver: Driver;
  private readonly writer: Writer;
  private readonly heartbeat: Heartbeat;
  private readonly markFile: MarkFile;
  private readonly listeners: ((change: Change) => void)[] = [];
  /** Why nothing can be read or written. */
  private unprepared: string | undefined = 'it is being prepared';
  private closed: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private readonly release: () => void;

  /** Throws a message for a person where the data directory cannot be used. Reads nothing. */
  constructor(private readonly options: StoreOptions) {
    const { place } = options;
    this.kind = place.kind;
    this.release = place.kind === 'embedded' ? lockDataDir(place.dataDir) : () => undefined;
    this.driver =
      place.kind === 'embedded'
        ? new SqliteDriver(place.dataDir, this.process)
        : new PostgresDriver(place.currentUrl, this.process);
    this.markFile = new MarkFile(place.dataDir, [...this.driver.marks, this.driver.beat]);
    this.heartbeat = new Heartbeat(this.driver, this.process, {
      beaten: () => {
        this.markFile.note();
      },
      lost: () => {
        this.writer.forget();
      },
    });
    this.writer = new Writer(this.driver, {
      now: () => this.now(),
      committed: (change) => {
        this.markFile.note();
        // It is committed, whatever a listener makes of it.
        for (const listener of this.listeners)
          queueMicrotask(() => {
            listener(change);
          });
      },
      forgotten: (mark) => this.heartbeat.forgotten(mark),
      unsteady: () => (this.heartbeat.isSteady ? undefined : this.heartbeat.steady()),
    });
  }

  /**
   * Prepares the store. Where it cannot be reached yet, that goes on in the background, and this resolves: readiness says why. Throws what
   * needs a person.
   */
  async begin(): Promise<void> {
    try {
      await this.prepare();
    } catch (error) {
      if (this.closed) return;
      if (!(error instanceof StoreUnavailable) || this.kind === 'embedded') throw error;
      this.unprepared = error.reason;
      // What needs a person by then ends the process.
      this.retry = setTimeout(() => void this.begin(), TRY_AGAIN_MS).unref();
    }
  }

  /** Prepares the store. Throws `StoreUnavailable` where it cannot be reached. */
  async prepare(): Promise<void> {
    const { kind, marks, beat } = this.driver;
    const { migrate, identity } = this.options;
    const id = await this.driver.prepare((query) =>
      prepareStore(query, { kind, migrate, identity, marks: [...marks, beat] }),
    );
    await this.heartbeat.begin(await this.hasForgotten(id));
    this.unprepared = undefined;
    await this.markFile.begin(id);
  }

  async write<T>(reference: string, decide: Decide<T>, options?: WriteOptions): Promise<T> {
    try {
      return await this.prepared().writer.write(reference, decide, options);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.heartbeat.doubt();
      throw error;
    }
  }

  async read(reference: string): Promise<Stored> {
    const orders = await loadOrders(this.prepared().driver, [reference]);
    const order = orders.get(reference);
    if (!order) throw new TypeError('Each order that was asked for is answered');
    this.writer.learn(order);
    return order;
  }

  async readOf(of: 'payment' | 'session', id: string): Promise<Stored | undefined> {
    const order = await loadOrderOf(this.prepared().driver, of, id);
    if (order) this.writer.learn(order);
    return order;
  }

  remembered(sessionId: string): Stored | undefined {
    return this.prepared().writer.cachedOf(sessionId);
  }

  async rows<R>(question: Sql): Promise<R[]> {
    return this.prepared().driver.rows(question);
  }

  async returning<R>(statement: Sql): Promise<R[]> {
    return this.prepared().driver.returning(statement);
  }

  async run(statement: Sql): Promise<number> {
    return this.prepared().driver.run(statement);
  }

  async lease(name: string, ms: number): Promise<boolean> {
    const now = NOW[this.kind];
    const changed = await this.run({
      text: `insert into leases (name, owner, until) values (?, ?, ${now} + ?)
        on conflict (name) do update set owner = excluded.owner, until = excluded.until
        where leases.owner = excluded.owner or leases.until < ${now}`,
      values: [name, this.process, ms],
    });
    return changed === 1;
  }

  onCommitted(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  now(): number {
    return this.heartbeat.clock.now();
  }

  async unusable(): Promise<string | undefined> {
    if (this.closed) return 'it is closed';
    return this.unprepared ?? this.driver.fault() ?? (await this.heartbeat.problem());
  }

  get restoredAt(): number | undefined {
    return this.heartbeat.restoredAt;
  }

  get lossSeenAt(): number | undefined {
    return this.heartbeat.lossSeenAt;
  }

  /** Lets what is under way finish. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    clearTimeout(this.retry);
    await this.writer.close();
    if (this.unprepared === undefined) {
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
    if (!kept) return this.kind === 'embedded' && (await this.found('select 1 from orders limit 1'));
    if (kept.store !== id) return true;
    for (const { writer, count } of kept.marks)
      if (!(await this.found('select 1 from marks where writer = ? and mark >= ?', writer, count)))
        return true;
    return false;
  }

  private async found(text: string, ...values: (string | number)[]): Promise<boolean> {
    return (await this.driver.rows({ text, values, lookup: true })).length > 0;
  }

  private prepared(): this {
    if (this.unprepared !== undefined) throw new StoreUnavailable(this.unprepared);
    return this;
  }
}
