import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GIVE_UP_AFTER_MS, nextAttempt } from './delivery-outcome.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const middle = () => 0.5;

describe('the wait after a failed attempt', () => {
  test.each([
    [1, 1 * SECOND],
    [2, 5 * SECOND],
    [3, 15 * SECOND],
    [4, 60 * SECOND],
    [5, 5 * MINUTE],
    [6, 30 * MINUTE],
    [7, HOUR],
    [8, HOUR],
    [60, HOUR],
  ])('after attempt %i it is about %i ms', (attempts, wait) => {
    expect(nextAttempt({ attempts, firstAttemptAt: 0, now: 1000 }, middle)).toBe(1000 + wait);
  });

  test('strays by at most a fifth, and by all of that', () => {
    const failed = { attempts: 7, firstAttemptAt: 0, now: 0 };
    expect(nextAttempt(failed, () => 0)).toBe(0.8 * HOUR);
    expect(nextAttempt(failed, () => 0.999999999)).toBe(1.2 * HOUR);
  });
});

describe('giving up', () => {
  test.each([
    ['the last attempt that still fits is made', GIVE_UP_AFTER_MS - HOUR, GIVE_UP_AFTER_MS],
    ['one that would come later is not', GIVE_UP_AFTER_MS - HOUR + 1, undefined],
    ['a late failure ends it', GIVE_UP_AFTER_MS + HOUR, undefined],
  ])('%s', (_what, now, expected) => {
    expect(nextAttempt({ attempts: 70, firstAttemptAt: 0, now }, middle)).toBe(expected);
  });

  test('an event that always fails gets dozens of attempts, all within 72 h, then ends', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (randoms) => {
          const random = () => randoms.next().value as number;
          let now = 0;
          let attempts = 1;
          for (;;) {
            const next = nextAttempt({ attempts, firstAttemptAt: 0, now }, random);
            if (next === undefined) break;
            expect(next).toBeGreaterThan(now);
            now = next;
            attempts += 1;
          }
          expect(now).toBeLessThanOrEqual(GIVE_UP_AFTER_MS);
          expect(now).toBeGreaterThan(GIVE_UP_AFTER_MS - 1.2 * HOUR);
          expect(attempts).toBeGreaterThan(60);
        },
      ),
      { numRuns: 50 },
    );
  });
});
