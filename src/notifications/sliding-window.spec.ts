import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.js';

test('no stretch of a second holds more than the limit, and none is refused without need', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), (pauses, limit) => {
      const window = new SlidingWindow(limit, 1_000);
      const taken: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const inside = taken.filter((at) => at + 1_000 > now).length;
        expect(window.freeAt(now) <= now).toBe(inside < limit);
        expect(window.take(now)).toBe(inside < limit);
        if (inside < limit) taken.push(now);
      }
    }),
  );
});

test('says when there is room', () => {
  const window = new SlidingWindow(2, 1_000);
  expect([window.take(100), window.take(300), window.take(400)]).toEqual([true, true, false]);
  expect(window.freeAt(500)).toBe(1_100);
  expect([window.take(1_099), window.take(1_100)]).toEqual([false, true]);
  expect(window.freeAt(1_150)).toBe(1_300);
});
