import { decidedWrite, written } from './change-steps.js';
import { Forgotten, loadOrders, NotCommitted } from './driver.js';
import type { DecidedWrite, Driver, Mark } from './driver.js';
import { Overloaded, StoreUnavailable } from './store-unavailable.js';
import type { Change, Decide, Stored, WriteOptions } from './store.js';

/** So many writes share a transaction at most. */
const MAX_BATCH = 64;
/** Beyond so many waiting writes, or one that waits for so long, new ones are refused. */
const MAX_WAITING = 2_000;
const MAX_AGE_MS = 5_000;
/** Orders that are kept: a session is paid minutes after it was made, and a payment's own writes follow within seconds. */
const MAX_CACHED = 5_000;
/** Tries after which a write is given up: each has found another state of its order, or a batch that came to nothing. */
const MAX_TRIES = 20;

/** A write on its way. */
interface Waiting {
  reference: string;
  decide: Decide<unknown>;
  /** The same for each time that it is decided. */
  now: number;
  /** By the process's own clock. */
  since: number;
  tries: number;
  stored: Stored | undefined;
  /** `stored` was read since the write was asked for. */
  fresh: boolean;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** A write with what it decided. */
interface Decided {
  waiting: Waiting;
  stored: Stored;
  change: Change;
  result: unknown;
  write: DecidedWrite;
}

export interface WriterHooks {
  now: () => number;
  /** Called after each commit. */
  committed: (change: Change) => void;
  /** Commits of this mark were lost. What waits for it is decided again afterwards. */
  forgotten: (mark: Mark) => Promise<void>;
  /** Undefined: orders may be written now. Else they may once it is settled. */
  unsteady: () => Promise<void> | undefined;
}

/**
 * The only writer of orders. Writes that wait at the same time share a transaction and its sync; writes of one order follow each other.
 * What a write is decided on is cached: where another process has changed the order since, the write counts for nothing and is
 * decided again.
 */
export class Writer {
  /** In the order in which they were asked for. */
  private readonly waiting = new Set<Waiting>();
  /** Those that follow another write of their order. An order is here while one of its writes is under way. */
  private readonly behind = new Map<string, Waiting[]>();
  private toLoad: Waiting[] = [];
  private ready: Waiting[] = [];
  private readonly cache = new Map<string, Stored>();
  /** The references of sessions of cached orders. */
  private readonly sessions = new Map<string, string>();
  private readonly free: Mark[];
  private loading = false;
  private scheduled = false;
  private closed = false;
  private readonly done = Promise.withResolvers<void>();

  constructor(
    private readonly driver: Driver,
    private readonly hooks: WriterHooks,
    private readonly maxWaiting = MAX_WAITING,
  ) {
    this.free = [...driver.marks];
  }

  write<T>(reference: string, decide: Decide<T>, { always = false }: WriteOptions = {}): Promise<T> {
    if (this.closed) return Promise.reject(new StoreUnavailable('it is closed'));
    if (!always && this.isOverloaded()) return Promise.reject(new Overloaded());
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        ...{ reference, decide, now: this.hooks.now(), since: performance.now() },
        ...{ tries: 0, stored: undefined, fresh: false },
        resolve: resolve as (result: unknown) => void,
        reject,
      };
      this.waiting.add(waiting);
      const others = this.behind.get(reference);
      if (others) others.push(waiting);
      else {
        this.behind.set(reference, []);
        this.admit(waiting);
      }
    });
  }

  /** An order that was read: the write that usually follows need not read it. One that is being written is known better. */
  learn(stored: Stored): void {
    const { reference } = stored;
    if (stored.rev !== null && !this.cache.has(reference) && !this.behind.has(reference)) this.keep(stored);
  }

  /** The cached order of a session: what is decided on it is right or loses. */
  cachedOf(sessionId: string): Stored | undefined {
    return this.cache.get(this.sessions.get(sessionId) ?? '');
  }

  /** Forgets what is cached: commits were lost. */
  forget(): void {
    this.cache.clear();
  }

  /** Resolves when all writes have their answers. Takes no more. */
  close(): Promise<void> {
    this.closed = true;
    if (this.waiting.size === 0) this.done.resolve();
    return this.done.promise;
  }

  private isOverloaded(): boolean {
    if (this.waiting.size >= this.maxWaiting) return true;
    const [oldest] = this.waiting;
    return oldest !== undefined && performance.now() - oldest.since > MAX_AGE_MS;
  }

  private admit(waiting: Waiting): void {
    waiting.stored = this.cache.get(waiting.reference);
    if (waiting.stored) this.ready.push(waiting);
    else this.toLoad.push(waiting);
    this.schedule();
  }

  /** Whatever this turn of the event loop brings is taken together. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const unsteady = this.hooks.unsteady();
    // Where the store cannot be reached, the writes say so.
    if (unsteady) void unsteady.catch(() => undefined).then(() => this.begin());
    else setImmediate(() => this.begin());
  }

  private begin(): void {
    this.scheduled = false;
    if (this.toLoad.length > 0 && !this.loading) void this.load(this.toLoad.splice(0, MAX_BATCH));
    while (this.ready.length > 0) {
      const mark = this.free.pop();
      if (!mark) break;
      void this.commit(mark, this.decideAll(this.ready.splice(0, MAX_BATCH))).finally(() => {
        this.free.push(mark);
        if (this.ready.length > 0) this.schedule();
      });
    }
  }

  private async load(batch: Waiting[]): Promise<void> {
    this.loading = true;
    try {
      const loaded = await loadOrders(
        this.driver,
        batch.map(({ reference }) => reference),
      );
      for (const waiting of batch) {
        waiting.stored = loaded.get(waiting.reference);
        waiting.fresh = true;
        this.ready.push(waiting);
      }
    } catch (error) {
      for (const waiting of batch) this.fail(waiting, error);
    } finally {
      this.loading = false;
      this.schedule();
    }
  }

  /** Without those that need no commit, or whose order has to be read first. */
  private decideAll(batch: Waiting[]): Decided[] {
    const decided = batch.flatMap((waiting) => this.decide(waiting) ?? []);
    // The same order in every process, so that two batches cannot wait for each other.
    return decided.sort((a, b) => (a.write.reference < b.write.reference ? -1 : 1));
  }

  private decide(waiting: Waiting): Decided | undefined {
    const { stored } = waiting;
    if (!stored) throw new TypeError('A write is decided on what is stored');
    // What another process wrote meanwhile may change a refusal.
    const isFinal = waiting.fresh || this.driver.kind === 'embedded';
    try {
      const { change, result } = waiting.decide(stored, waiting.now);
      if (change) return { waiting, stored, change, result, write: decidedWrite(stored, change) };
      if (isFinal) this.succeed(waiting, stored, result);
    } catch (error) {
      if (isFinal) this.fail(waiting, error);
    }
    if (!isFinal) this.readAgain(waiting);
    return undefined;
  }

  private async commit(mark: Mark, decided: readonly Decided[]): Promise<void> {
    if (decided.length === 0) return;
    try {
      const writes = decided.map(({ write }) => write);
      const won = await this.driver.commit(mark, writes);
      decided.forEach(({ waiting, stored, change, result, write }, index) => {
        if (won[index]) this.succeed(waiting, written(stored, change, write.rev), result, change);
        else this.again(waiting, 'an order changes too often to be written');
      });
    } catch (error) {
      await this.failed(mark, decided, error);
    }
  }

  /** Decided again only where it is certain that nothing was committed. */
  private async failed(mark: Mark, decided: readonly Decided[], error: unknown): Promise<void> {
    if (error instanceof Forgotten) await this.hooks.forgotten(error.mark).catch(() => undefined);
    const refusal = error instanceof NotCommitted ? error.cause : error;
    // The others of a batch with a refused write are good.
    if (error instanceof NotCommitted && refusal !== undefined && decided.length > 1)
      for (const one of decided) await this.commit(mark, [one]);
    else
      for (const { waiting } of decided)
        if (refusal === undefined) this.again(waiting, (error as Error).message);
        else this.fail(waiting, refusal);
  }

  private again(waiting: Waiting, reason: string): void {
    waiting.tries += 1;
    if (waiting.tries > MAX_TRIES) this.fail(waiting, new StoreUnavailable(reason));
    else this.readAgain(waiting);
  }

  private readAgain(waiting: Waiting): void {
    this.cache.delete(waiting.reference);
    this.toLoad.push(waiting);
    this.schedule();
  }

  private succeed(waiting: Waiting, stored: Stored, result: unknown, change?: Change): void {
    this.cache.delete(waiting.reference);
    if (stored.rev !== null) this.keep(stored);
    if (change) this.hooks.committed(change);
    this.finish(waiting);
    waiting.resolve(result);
  }

  /** An order that is over is seldom written again. */
  private keep(stored: Stored): void {
    const { order, reference } = stored;
    if (!order || (order.live === null && order.dueAt === null)) return;
    this.cache.set(reference, stored);
    for (const { id } of order.sessions) this.sessions.set(id, reference);
    if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value ?? '');
    if (this.sessions.size > 2 * MAX_CACHED) this.sessions.delete(this.sessions.keys().next().value ?? '');
  }

  private fail(waiting: Waiting, error: unknown): void {
    this.cache.delete(waiting.reference);
    this.finish(waiting);
    waiting.reject(error);
  }

  private finish(waiting: Waiting): void {
    this.waiting.delete(waiting);
    const next = this.behind.get(waiting.reference)?.shift();
    if (next) this.admit(next);
    else this.behind.delete(waiting.reference);
    if (this.closed && this.waiting.size === 0) this.done.resolve();
  }
}
