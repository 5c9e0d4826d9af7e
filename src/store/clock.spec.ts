import { expect, test } from '@jest/globals';
import { StoreClock } from './clock.js';

const HOUR = 3_600_000;
const here = () => performance.timeOrigin + performance.now();

function measure(clock: StoreClock, ahead: number): number {
  const from = performance.now();
  clock.measured(here() + ahead, from, performance.now());
  return Math.round((clock.now() - here()) / 1_000) + 0;
}

test('it is the database’s, as it was measured', () => {
  const clock = new StoreClock();
  clock.measured(here() + HOUR, performance.now(), performance.now());
  expect(Math.abs(clock.now() - here() - HOUR)).toBeLessThan(50);
  expect(measure(clock, HOUR + 300)).toBe(HOUR / 1_000);
});

test('a jump counts once it was seen twice, and one wrong measurement never does', () => {
  const clock = new StoreClock();
  expect(measure(clock, 0)).toBe(0);
  expect(measure(clock, HOUR)).toBe(0);
  expect(measure(clock, 0)).toBe(0);
  expect(measure(clock, HOUR)).toBe(0);
  expect(measure(clock, -HOUR)).toBe(0);
  expect(measure(clock, -HOUR)).toBe(-HOUR / 1_000);
});
