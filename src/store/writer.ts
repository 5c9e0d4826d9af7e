import { decidedWrite, written } from './change-steps.js';
import { absent, NotCommitted, type DecidedWrite, type Driver, type Outcome } from './driver.js';
import { Overloaded, StoreUnavailable } from './store-unavailable.js';
import type { Change, Decide, Stored, WriteOptions } from './store.js';

/** So many writes share a transaction at most. */
const MAX_BATCH = 64;
/** Beyond so many waiting writes, or one that waits for so long, new ones are refused. */
const MAX_WAITING = 2_000;
const MAX_AGE_MS = 5_000;
/** Orders that are kept. A payment's own writes follow each other within seconds. */
const MAX_CACHED = 2_000;
/** Losses in a row after which a write takes its order for itself. */
const LOSSES_BEFORE_ALONE = 3;
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
  losses: number;
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
  private readonly freeSlots: number[];
  private loading = false;
  private scheduled = false;
  private closed: Promise<void> | undefined;
  private allDone: (() => void) | undefined;

  constructor(
    private readonly driver: Driver,
    private readonly now: () => number,
    private readonly committed: (change: Change) => void,
    private readonly maxWaiting = MAX_WAITING,
  ) {
    this.freeSlots = Array.from({ length: driver.slots }, (_, slot) => slot);
  }

  write<T>(reference: string, decide: Decide<T>, { always = false }: WriteOptions = {}): Promise<T> {
    if (this.closed) return Promise.reject(new StoreUnavailable('it is closed'));
    if (!always && this.isOverloaded()) return Promise.reject(new Overloaded());
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        ...{ reference, decide, now: this.now(), since: performance.now() },
        ...{ losses: 0, tries: 0, stored: undefined, fresh: false },
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

  /** Forgets what is cached: commits were lost, or somebody else writes. */
  forget(): void {
    this.cache.clear();
  }

  /** Resolves when all writes have their answers. Takes no more. */
  close(): Promise<void> {
    this.closed ??= new Promise((resolve) => {
      this.allDone = resolve;
      if (this.waiting.size === 0) resolve();
    });
    return this.closed;
  }

  private isOverloaded(): boolean {
    if (this.waiting.size >= this.maxWaiting) return true;
    const [oldest] = this.waiting;
    return oldest !== undefined && performance.now() - oldest.since > MAX_AGE_MS;
  }

  private admit(waiting: Waiting): void {
    waiting.stored ??= this.cache.get(waiting.reference);
    if (waiting.stored) this.ready.push(waiting);
    else this.toLoad.push(waiting);
    this.schedule();
  }

  /** Whatever this turn of the event loop brings is taken together. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.toLoad.length > 0 && !this.loading) void this.load();
      while (this.ready.length > 0) {
        const slot = this.freeSlots.pop();
        if (slot === undefined) break;
        void this.batch(slot, this.ready.splice(0, MAX_BATCH)).finally(() => {
          this.freeSlots.push(slot);
          if (this.ready.length > 0) this.schedule();
        });
      }
    });
  }

  private async load(): Promise<void> {
    this.loading = true;
    const batch = this.toLoad.splice(0, MAX_BATCH);
    try {
      const loaded = await this.driver.load(batch.map(({ reference }) => reference));
      for (const waiting of batch) {
        waiting.stored = loaded.get(waiting.reference) ?? absent(waiting.reference);
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

  private async batch(slot: number, batch: Waiting[]): Promise<void> {
    const decided: Decided[] = [];
    for (const waiting of batch) {
      if (waiting.losses >= LOSSES_BEFORE_ALONE) await this.alone(slot, waiting);
      else {
        const done = this.decide(waiting);
        if (done) decided.push(done);
      }
    }
    // The same order in every process, so that two batches cannot wait for each other.
    decided.sort((a, b) => (a.write.reference < b.write.reference ? -1 : 1));
    if (decided.length > 0) await this.commit(slot, decided);
  }

  /** Undefined where it needs no commit, or its order has to be read first. */
  private decide(waiting: Waiting): Decided | undefined {
    const { stored } = waiting;
    if (!stored) throw new TypeError('A write is decided on what is stored');
    try {
      const { change, result } = waiting.decide(stored, waiting.now);
      if (change) return { waiting, stored, change, result, write: decidedWrite(stored, change) };
      if (waiting.fresh || !this.driver.shared) this.succeed(waiting, stored, result);
      else this.readAgain(waiting);
    } catch (error) {
      // What another process wrote meanwhile may allow it.
      if (waiting.fresh || !this.driver.shared) this.fail(waiting, error);
      else this.readAgain(waiting);
    }
    return undefined;
  }

  private readAgain(waiting: Waiting): void {
    this.cache.delete(waiting.reference);
    waiting.stored = undefined;
    this.toLoad.push(waiting);
    this.schedule();
  }

  private async commit(slot: number, decided: readonly Decided[]): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.driver.commit(
        slot,
        decided.map(({ write }) => write),
      );
    } catch (error) {
      const refused = error instanceof NotCommitted && error.cause !== undefined;
      // The others of the batch are good.
      if (refused && decided.length > 1) for (const one of decided) await this.commit(slot, [one]);
      else for (const { waiting } of decided) this.unwritten(waiting, error);
      return;
    }
    decided.forEach((one, index) => {
      if (outcome.won[index]) this.won(one);
      else this.lost(one.waiting, outcome);
    });
  }

  private async alone(slot: number, waiting: Waiting): Promise<void> {
    let decided: Decided | undefined;
    let settled = false;
    const decide = (stored: Stored): DecidedWrite | undefined => {
      waiting.stored = stored;
      waiting.fresh = true;
      decided = this.decide(waiting);
      settled = decided === undefined;
      return decided?.write;
    };
    try {
      const outcome = await this.driver.alone(slot, waiting.reference, decide);
      if (settled || !decided) return;
      if (outcome.won[0]) this.won(decided);
      else this.lost(waiting, outcome);
    } catch (error) {
      if (settled) return;
      this.unwritten(waiting, error);
    }
  }

  private won({ waiting, stored, change, result, write }: Decided): void {
    this.succeed(waiting, written(stored, change, write.rev), result, change);
  }

  private lost(waiting: Waiting, { lost }: Outcome): void {
    waiting.losses += 1;
    waiting.tries += 1;
    waiting.stored = lost.get(waiting.reference) ?? absent(waiting.reference);
    waiting.fresh = true;
    this.cache.delete(waiting.reference);
    if (waiting.tries > MAX_TRIES)
      this.fail(waiting, new StoreUnavailable('an order changes too often to be written'));
    else this.ready.unshift(waiting);
  }

  /** Decided again only where it is certain that nothing was committed. */
  private unwritten(waiting: Waiting, error: unknown): void {
    waiting.tries += 1;
    if (!(error instanceof NotCommitted)) this.fail(waiting, error);
    else if (error.cause !== undefined) this.fail(waiting, error.cause);
    else if (waiting.tries > MAX_TRIES) this.fail(waiting, new StoreUnavailable(error.message));
    else this.readAgain(waiting);
  }

  private succeed(waiting: Waiting, stored: Stored, result: unknown, change?: Change): void {
    this.cache.delete(waiting.reference);
    if (stored.rev !== null) this.cache.set(waiting.reference, stored);
    if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value ?? '');
    if (change) this.committed(change);
    this.finish(waiting);
    waiting.resolve(result);
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
    if (this.waiting.size === 0) this.allDone?.();
  }
}
