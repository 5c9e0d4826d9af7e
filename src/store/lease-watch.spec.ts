import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LeaseWatch } from './lease-watch.js';
import { taken } from './leases.js';
import type { Lease } from './schema.js';

const LASTS = 8_000;
const HOUR = 3_600_000;

describe('a lease that another process holds', () => {
  const held: Lease = { owner: 'own_1', until: 100_000, fence: 3 };
  const ended = { now: 200_000, lasts: LASTS };
  let at: number;
  const watching = (): LeaseWatch => {
    at = 0;
    return new LeaseWatch(() => at);
  };

  test('is taken over once it has ended and was seen unchanged for as long as it lasts', () => {
    const watch = watching();
    expect(watch.mayBeLiving('pay', held, ended)).toBe(true);
    at = LASTS - 1;
    expect(watch.mayBeLiving('pay', held, ended)).toBe(true);
    at = LASTS;
    expect(watch.mayBeLiving('pay', held, { ...ended, now: 99_999 })).toBe(true);
    expect(watch.mayBeLiving('pay', held, ended)).toBe(false);
  });

  test.each<[string, Partial<Lease>]>([
    ['was renewed', { until: 100_001 }],
    ['was taken anew', { fence: 4 }],
    ['has another owner', { owner: 'own_2' }],
  ])('is waited for anew when it %s', (_what, change) => {
    const watch = watching();
    watch.mayBeLiving('pay', held, ended);
    at = LASTS;
    expect(watch.mayBeLiving('pay', { ...held, ...change }, ended)).toBe(true);
    at = 2 * LASTS;
    expect(watch.mayBeLiving('pay', { ...held, ...change }, ended)).toBe(false);
  });

  test('is free at once when it was given back', () => {
    const watch = watching();
    expect(watch.mayBeLiving('pay', { ...held, owner: null }, ended)).toBe(false);
    expect(watch.size).toBe(0);
  });

  test('is forgotten when nobody looks at it any more', () => {
    const watch = watching();
    for (let n = 0; n < 25_000; n += 1) watch.mayBeLiving(`pay_${n}`, held, ended);
    expect(watch.size).toBeLessThanOrEqual(20_000);
    at = HOUR;
    watch.mayBeLiving('pay', held, ended);
    expect(watch.size).toBe(1);
  });
});

/**
 * Processes that share a row and a clock, which is set at will. Each renews what it holds as the keeper does, at least
 * every 5 s while it lives, and asks for the lease whenever it likes.
 */
type Move =
  | { do: 'pass'; milliseconds: number }
  | { do: 'step'; milliseconds: number }
  | { do: 'ask'; process: number }
  | { do: 'end'; process: number };

class World {
  elapsed = 0;
  offset = 0;
  row: Lease = { owner: null, until: 0, fence: 0 };
  readonly processes = [0, 1].map((number) => ({
    owner: `own_${number}`,
    watch: new LeaseWatch(() => this.elapsed + number * 12_345),
    /** The number under which it holds the lease; it is alive, and at work. */
    holds: undefined as number | undefined,
    renewedAt: 0,
  }));

  get now(): number {
    return 1_800_000_000_000 + this.elapsed + this.offset;
  }

  pass(milliseconds: number): void {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      this.elapsed += Math.min(left, 1_000);
      for (const process of this.processes) {
        if (process.holds === undefined || this.elapsed - process.renewedAt < LASTS / 2) continue;
        process.renewedAt = this.elapsed;
        if (this.row.owner !== process.owner || this.row.fence !== process.holds) continue;
        const until = this.now + LASTS;
        this.row = { ...this.row, until: until === this.row.until ? until + 1 : until };
      }
    }
  }

  ask(number: number): void {
    const process = this.processes[number];
    if (!process || process.holds !== undefined) return;
    const { watch, owner } = process;
    if (watch.mayBeLiving('pay', this.row, { now: this.now, lasts: LASTS })) return;
    this.row = taken(this.row, owner, this.now + LASTS);
    process.holds = this.row.fence;
    process.renewedAt = this.elapsed;
  }

  end(number: number): void {
    const process = this.processes[number];
    if (!process || process.holds === undefined) return;
    if (this.row.owner === process.owner && this.row.fence === process.holds)
      this.row = { ...this.row, owner: null, until: 0 };
    process.holds = undefined;
  }
}

const number = fc.integer({ min: 0, max: 1 });
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant('pass' as const), milliseconds: fc.integer({ min: 1, max: 30_000 }) }),
  fc.record({
    do: fc.constant('step' as const),
    milliseconds: fc.integer({ min: -24 * HOUR, max: 24 * HOUR }),
  }),
  // By exactly as much as passed since the last renewal, so that the next one ends as the last one did.
  fc.record({ do: fc.constant('step' as const), milliseconds: fc.constantFrom(-4_000, -5_000, -8_000) }),
  fc.record({ do: fc.constant('ask' as const), process: number }),
  fc.record({ do: fc.constant('end' as const), process: number }),
);

describe('two processes that live', () => {
  test('never hold one lease at once, however the clock that they share is set', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const world = new World();
        for (const made of moves) {
          if (made.do === 'pass') world.pass(made.milliseconds);
          else if (made.do === 'step') world.offset += made.milliseconds;
          else if (made.do === 'ask') world.ask(made.process);
          else world.end(made.process);
          expect(world.processes.filter(({ holds }) => holds !== undefined).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('and a lease whose holder died is taken over within twice its time by one that looks every second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (looksFrom) => {
        const world = new World();
        world.ask(0);
        world.pass(looksFrom);
        const [dead, other] = world.processes;
        if (!dead || !other) throw new Error('two processes');
        dead.holds = undefined;
        const diedAt = world.elapsed;
        while (other.holds === undefined) {
          world.ask(1);
          world.pass(1_000);
        }
        expect(world.elapsed - diedAt).toBeLessThanOrEqual(2 * LASTS + 1_000);
      }),
    );
  });
});
