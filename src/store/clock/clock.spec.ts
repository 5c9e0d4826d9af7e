import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EmbeddedClock } from './embedded-clock.js';
import { betterOffset, offsetOf, RemoteClock } from './remote-clock.js';

const HOUR = 3_600_000;
const START = 1_800_000_000_000;

/** A machine whose wall clock is stepped at will. */
class Machine {
  elapsed = 0;
  offset = 0;
  readonly wall = (): number => START + this.elapsed + this.offset;
  readonly monotonic = (): number => 17.25 + this.elapsed;
}

describe('the embedded store’s clock', () => {
  test('starts at the later of what was kept and the wall clock', () => {
    const clock = new EmbeddedClock(new Machine());
    expect(clock.now()).toBe(START);
    clock.begin(START - HOUR);
    expect(clock.now()).toBe(START);
    clock.begin(START + HOUR);
    expect(clock.now()).toBe(START + HOUR);
    clock.begin(Number.NaN);
    expect(clock.now()).toBe(START + HOUR);
  });

  test('follows no wall clock, whatever its steps; across restarts it never goes back behind what was kept', () => {
    const step = fc.record({
      pass: fc.double({ min: 0, max: HOUR, noNaN: true }),
      jump: fc.integer({ min: -48 * HOUR, max: 48 * HOUR }),
      restart: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const machine = new Machine();
        let clock = new EmbeddedClock(machine);
        clock.begin(undefined);
        let kept: number | undefined;
        for (const { pass, jump, restart } of steps) {
          const before = clock.now();
          machine.elapsed += pass;
          machine.offset += jump;
          const now = clock.now();
          expect(Number.isSafeInteger(now)).toBe(true);
          expect(Math.abs(now - before - pass)).toBeLessThanOrEqual(1);
          const keeping = clock.toKeep();
          if (keeping !== undefined) kept = keeping;
          if (!restart) continue;
          clock = new EmbeddedClock(machine);
          clock.begin(kept);
          expect(clock.now()).toBeGreaterThanOrEqual(kept ?? 0);
        }
      }),
    );
  });

  test('is kept at most once a second', () => {
    const machine = new Machine();
    const clock = new EmbeddedClock(machine);
    expect(clock.toKeep()).toBe(START);
    machine.elapsed = 999;
    expect(clock.toKeep()).toBeUndefined();
    machine.elapsed = 1_000;
    expect(clock.toKeep()).toBe(START + 1_000);
  });
});

describe('a clock elsewhere', () => {
  /** One reading of a database's clock: how long the question and the answer took. */
  const trip = fc.record({
    wait: fc.double({ min: 0, max: 3_000, noNaN: true }),
    there: fc.double({ min: 0, max: 500, noNaN: true }),
    back: fc.double({ min: 0, max: 500, noNaN: true }),
    jump: fc.integer({ min: -48 * HOUR, max: 48 * HOUR }),
  });

  test('is known as exactly as the best of its readings, whatever the wall clock does', () => {
    fc.assert(
      fc.property(
        fc.array(trip, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: -HOUR, max: HOUR }),
        (trips, ahead) => {
          const machine = new Machine();
          const clock = new RemoteClock(machine);
          const database = (): number => START + ahead + machine.elapsed;
          let last = -Infinity;
          let best = Infinity;
          for (const { wait, there, back, jump } of trips) {
            machine.elapsed += wait;
            machine.offset += jump;
            const sentAt = machine.monotonic();
            machine.elapsed += there;
            const time = database();
            machine.elapsed += back;
            clock.take({ time, sentAt, receivedAt: machine.monotonic() });
            best = Math.min(best, (there + back) / 2);
            const now = clock.now();
            expect(now).toBeGreaterThanOrEqual(last);
            last = now;
            // Stale readings make room for less exact ones, but never for worse than the worst.
            expect(Math.abs(now - database())).toBeLessThanOrEqual(1_001);
          }
        },
      ),
    );
  });

  test('that is set is followed with the next reading, forward and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000, max: 48 * HOUR }),
        fc.boolean(),
        fc.double({ min: 0, max: 200, noNaN: true }),
        (far, back, took) => {
          const machine = new Machine();
          const clock = new RemoteClock(machine);
          clock.take({ time: START, sentAt: machine.monotonic(), receivedAt: machine.monotonic() });
          const step = back ? -far : far;
          const sentAt = machine.monotonic();
          machine.elapsed += took;
          clock.take({ time: START + took / 2 + step, sentAt, receivedAt: machine.monotonic() });
          expect(Math.abs(clock.now() - (START + machine.elapsed + step))).toBeLessThanOrEqual(took / 2 + 1);
        },
      ),
    );
  });

  test('a more exact reading is kept until it is stale or proved wrong', () => {
    const exact = offsetOf({ time: START, sentAt: 0, receivedAt: 2 });
    const vague = offsetOf({ time: START + 100, sentAt: 50, receivedAt: 150 });
    const late = offsetOf({ time: START + 20_000, sentAt: 19_950, receivedAt: 20_050 });
    const set = offsetOf({ time: START + HOUR, sentAt: 50, receivedAt: 150 });
    expect(betterOffset(undefined, vague)).toBe(vague);
    expect(betterOffset(vague, exact)).toBe(exact);
    expect(betterOffset(exact, vague)).toBe(exact);
    expect(betterOffset(exact, late)).toBe(late);
    expect(betterOffset(exact, set)).toBe(set);
  });

  test('the wall clock’s error is what no doubt of the reading explains', () => {
    const machine = new Machine();
    const clock = new RemoteClock(machine);
    expect(clock.wallClockError()).toBeUndefined();
    clock.take({ time: START, sentAt: machine.monotonic(), receivedAt: machine.monotonic() });
    expect(clock.wallClockError()).toBe(0);
    machine.offset = 20 * 60_000;
    expect(clock.wallClockError()).toBe(20 * 60_000);
    machine.offset = -7_000;
    expect(clock.wallClockError()).toBe(-7_000);
    const vague = new RemoteClock(machine);
    vague.take({ time: START, sentAt: machine.monotonic() - 15_000, receivedAt: machine.monotonic() });
    expect(vague.wallClockError()).toBeCloseTo(-7_000);
    machine.offset = 0;
    expect(vague.wallClockError()).toBe(0);
  });
});
