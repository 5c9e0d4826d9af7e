/** The one clock of a simulated world: timers run in the order of their times, and nothing else lets time pass. */

/** When every world begins: 2026-01-05 08:00 UTC. */
export const BEGINNING = Date.UTC(2026, 0, 5, 8);

const real = { setImmediate: globalThis.setImmediate, now: performance.now.bind(performance) };

/** The time that really passes, for measuring the simulation itself. */
export const realNow = real.now;

/** So many timers fire in no world that is well. */
const MOST_TIMERS = 60_000;

interface Entry {
  at: number;
  /** Entries of the same time run in the order in which they were made. */
  order: number;
  run: (() => void) | undefined;
}

class VirtualTime {
  now = 0;
  fired = 0;
  private order = 0;
  private heap: Entry[] = [];

  plan(ms: number, run: () => void): Entry {
    const entry = { at: this.now + Math.max(0, ms), order: this.order++, run };
    this.push(entry);
    return entry;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.plan(ms, resolve));
  }

  /** Lets time pass until nothing is planned, or `until` says so. */
  async run(until: () => boolean): Promise<void> {
    for (;;) {
      // Everything that became ready runs first, down to the last microtask.
      await new Promise((resolve) => real.setImmediate(resolve));
      if (until()) return;
      let entry = this.pop();
      while (entry && !entry.run) entry = this.pop();
      if (!entry) return;
      this.now = Math.max(this.now, entry.at);
      this.fired += 1;
      if (this.fired > MOST_TIMERS)
        throw new Error(`the world never comes to rest: ${new Date(BEGINNING + this.now).toISOString()}`);
      entry.run?.();
    }
  }

  clear(): void {
    this.heap = [];
    this.now = 0;
    this.fired = 0;
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = heap[parent];
      if (!other || !isBefore(entry, other)) break;
      heap[at] = other;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): Entry | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (!left) break;
      if (right && isBefore(right, left)) child += 1;
      const next = heap[child];
      if (!next || !isBefore(next, last)) break;
      heap[at] = next;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** There is one world at a time. */
export const time = new VirtualTime();

/** From now on the clocks and timers of this process are the world's. */
export function virtualize(): void {
  Object.assign(globalThis, {
    setTimeout: (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]) =>
      time.plan(ms, () => run(...values)),
    clearTimeout: (entry: Entry | undefined) => {
      if (entry) entry.run = undefined;
    },
  });
  Date.now = () => BEGINNING + Math.floor(time.now);
  Object.defineProperty(performance, 'now', { value: () => time.now, configurable: true });
}
