import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CoalescingTimer } from './coalescing-timer.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('runs once for all who woke it, at the earliest time asked for', async () => {
  const task = jest.fn(() => Promise.resolve(undefined));
  const timer = new CoalescingTimer(task);
  timer.wake(100);
  timer.wake(30);
  timer.wake(60);
  await jest.advanceTimersByTimeAsync(29);
  expect(task).toHaveBeenCalledTimes(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(task).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(task).toHaveBeenCalledTimes(1);
});

test('never runs beside itself, and once more where it was woken meanwhile', async () => {
  let atOnce = 0;
  let most = 0;
  const task = jest.fn(async () => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setTimeout(resolve, 50));
    atOnce -= 1;
    return undefined;
  });
  const timer = new CoalescingTimer(task);
  timer.wake(0);
  await jest.advanceTimersByTimeAsync(10);
  timer.wake(0);
  timer.wake(5);
  await jest.advanceTimersByTimeAsync(500);
  expect(task).toHaveBeenCalledTimes(2);
  expect(most).toBe(1);
});

test('runs again when it wanted to, or sooner where it is woken', async () => {
  const task = jest.fn(() => Promise.resolve(1_000));
  const timer = new CoalescingTimer(task);
  timer.wake(0);
  await jest.advanceTimersByTimeAsync(2_500);
  expect(task).toHaveBeenCalledTimes(3);
  timer.wake(10);
  await jest.advanceTimersByTimeAsync(10);
  expect(task).toHaveBeenCalledTimes(4);
  await timer.stop();
});

test('a wait of more than a timer can count does not run at once', async () => {
  const task = jest.fn(() => Promise.resolve(undefined));
  const timer = new CoalescingTimer(task);
  timer.wake(40 * 24 * 3_600_000);
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(task).toHaveBeenCalledTimes(0);
  await timer.stop();
});

test('stopping waits for the run that is under way, and there is none after it', async () => {
  let ended = false;
  const task = jest.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ended = true;
    return 0;
  });
  const timer = new CoalescingTimer(task);
  timer.wake(0);
  await jest.advanceTimersByTimeAsync(10);
  const stopped = timer.stop().then(() => ended);
  await jest.advanceTimersByTimeAsync(500);
  expect(await stopped).toBe(true);
  timer.wake(0);
  await jest.advanceTimersByTimeAsync(500);
  expect(task).toHaveBeenCalledTimes(1);
});
