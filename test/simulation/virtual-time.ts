import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/** The one clock of a simulated world: timers run in the order of their times, and nothing else lets time pass. */

/** One simulated process. What it has planned never happens once it is dead. */
export interface Process {
  readonly name: string;
  dead: boolean;
  /** How far its wall clock is ahead, in milliseconds. */
  wallOffset: number;
  /** By the world's clock: it stands still until then, as a stopped or overloaded process does. */
  frozenUntil: number;
}

/** When every world begins: 2026-01-05 08:00 UTC. */
export const BEGINNING = Date.UTC(2026, 0, 5, 8);

const real = {
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  performanceNow: performance.now.bind(performance),
};

/** The time that really passes, for measuring the simulation itself. */
export const realNow = real.performanceNow;

interface Entry {
  at: number;
  /** Entries of the same time run in the order in which they were made. */
  order: number;
  process: Process | undefined;
  run: (() => void) | undefined;
  every: number | undefined;
}

/** What Node's timers are for whoever set them. */
class Handle {
  readonly entry: Entry;
  constructor(entry: Entry) {
    this.entry = entry;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    return this;
  }
  close(): this {
    this.entry.run = undefined;
    return this;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Runs everything that became ready at once, down to the last microtask, without a turn of the real event loop. */
const settleNow = (process as unknown as { _tickCallback?: () => void })._tickCallback;
/** So many timers fire in one turn of the real event loop. */
const TURN = 256;

export class VirtualTime {
  now = 0;
  /** How many timers have fired. */
  fired = 0;
  /** Throws out of `run` what a timer's function has thrown. */
  failure: unknown;
  #order = 0;
  #heap: Entry[] = [];
  readonly #current = new AsyncLocalStorage<Process>();
  /** Enters a process. Made once for each, because each new context costs more than most of what runs in it. */
  readonly #entrances = new WeakMap<Process, <T>(work: () => T) => T>();

  /** Which process runs now; undefined: none, but the world around them. */
  get process(): Process | undefined {
    return this.#current.getStore();
  }

  wall(): number {
    return BEGINNING + Math.floor(this.now) + (this.process?.wallOffset ?? 0);
  }

  /** Runs `work` as a process. */
  as<T>(process: Process, work: () => T): T {
    let enter = this.#entrances.get(process);
    if (!enter) {
      enter = this.#current.run(process, () => AsyncLocalStorage.snapshot());
      this.#entrances.set(process, enter);
    }
    return enter(work);
  }

  /** Runs `work` as the world around the processes, whoever calls. */
  outside<T>(work: () => T): T {
    return this.process === undefined ? work() : this.#current.exit(work);
  }

  plan(milliseconds: number, run: () => void, every?: number): Handle {
    const wait = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
    const entry = { at: this.now + wait, order: this.#order++, process: this.process, run, every };
    this.#push(entry);
    return new Handle(entry);
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.plan(milliseconds, resolve));
  }

  /** Lets time pass until there is nothing more to do, or `until` says so. */
  run(until: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        for (let count = 0; count < TURN; count++) {
          if (this.failure !== undefined) return void reject(asError(this.failure));
          if (until()) return void resolve();
          const entry = this.#pop();
          if (!entry) return void resolve();
          this.#fire(entry);
          settleNow?.();
          if (!settleNow) break;
        }
        real.setImmediate(turn);
      };
      real.setImmediate(turn);
    });
  }

  /** Forgets everything that is planned. */
  clear(): void {
    this.#heap = [];
  }

  /** Lets time pass at once, for nobody to see. Only where nobody runs. */
  skip(milliseconds: number): void {
    this.now += milliseconds;
  }

  #fire(entry: Entry): void {
    const { run, process: owner } = entry;
    if (!run || owner?.dead) return;
    if (owner && owner.frozenUntil > entry.at) {
      entry.at = owner.frozenUntil;
      this.#push(entry);
      return;
    }
    if (entry.at > this.now) this.now = entry.at;
    this.fired += 1;
    if (entry.every !== undefined) {
      entry.at = this.now + Math.max(1, entry.every);
      entry.order = this.#order++;
      this.#push(entry);
    } else entry.run = undefined;
    try {
      if (owner) this.as(owner, run);
      else this.outside(run);
    } catch (error) {
      this.failure ??= error;
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child += 1;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

let time = new VirtualTime();

/** The world's clock. There is one world at a time. */
export function theTime(): VirtualTime {
  return time;
}

export function newTime(): VirtualTime {
  time = new VirtualTime();
  return time;
}

/** A machine needs some time for everything, and a turn of the event loop lets others come first. */
const IMMEDIATE_MS = 0.01;

/** From now on Node's clocks and timers are the world's. */
export function virtualize(): void {
  const cancel = (handle: unknown): void => {
    if (handle instanceof Handle) handle.close();
  };
  Object.assign(globalThis, {
    setTimeout: (run: (...values: unknown[]) => void, wait = 1, ...values: unknown[]) =>
      time.plan(Math.max(1, wait), () => {
        run(...values);
      }),
    setInterval: (run: (...values: unknown[]) => void, wait = 1, ...values: unknown[]) =>
      time.plan(
        Math.max(1, wait),
        () => {
          run(...values);
        },
        wait,
      ),
    setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) =>
      time.plan(IMMEDIATE_MS, () => {
        run(...values);
      }),
    clearTimeout: cancel,
    clearInterval: cancel,
    clearImmediate: cancel,
    Date: class extends real.Date {
      constructor(...values: []) {
        if (values.length === 0) super(time.wall());
        else super(...values);
      }
      static override now(): number {
        return time.wall();
      }
    },
  });
  Object.defineProperty(performance, 'now', { value: () => time.now, configurable: true });
  Object.defineProperty(performance, 'timeOrigin', { value: BEGINNING, configurable: true });
  Object.assign(timersPromises, {
    setTimeout: <T>(wait = 1, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return void reject(signal.reason as Error);
        const handle = time.plan(Math.max(1, wait), () => {
          resolve(value);
        });
        signal?.addEventListener('abort', () => {
          handle.close();
          reject(signal.reason as Error);
        });
      }),
    setImmediate: <T>(value?: T): Promise<T | undefined> =>
      new Promise((resolve) =>
        time.plan(IMMEDIATE_MS, () => {
          resolve(value);
        }),
      ),
  });
  syncBuiltinESMExports();
}
