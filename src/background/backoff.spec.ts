import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Backoff } from './backoff.js';
import { logFailure } from '../telemetry/failure-log.js';
import { createLogger, type Logger } from '../telemetry/logger.js';

/** As a store that is away says it. */
const awayBy = (causeCode: string): Error =>
  Object.assign(new Error('away'), { name: 'StoreUnavailable', code: 'store-unavailable', causeCode });
const away = awayBy('53100');

let lines: Record<string, unknown>[];
let logger: Logger;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  lines = [];
  logger = createLogger(
    { logLevel: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
});
afterEach(() => {
  jest.useRealTimers();
});

describe('work that fails', () => {
  test('waits longer each time, up to five seconds, and at once again when it has worked', () => {
    const backoff = new Backoff(logger, { event: 'test.failed' }, () => 1);
    const pauses: number[] = [];
    for (let time = 0; time < 6; time++) {
      pauses.push(backoff.failed(away));
      expect(backoff.rest).toBe(pauses.at(-1));
      jest.advanceTimersByTime(backoff.rest);
      expect(backoff.rest).toBe(0);
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    backoff.failed(away);
    backoff.worked();
    expect(backoff.rest).toBe(0);
    expect(backoff.failed(away)).toBe(500);
  });

  test('waits at least half of it: replicas do not come back together', () => {
    const soonest = new Backoff(logger, { event: 'test.failed' }, () => 0);
    expect(soonest.failed(away)).toBe(250);
  });

  test('takes the failures of one moment for one', () => {
    const backoff = new Backoff(logger, { event: 'test.failed' }, () => 1);
    for (let each = 0; each < 50; each++) expect(backoff.failed(away)).toBe(500);
  });
});

describe('equal failures', () => {
  test('are one line a minute with their count, and name what they end in', () => {
    for (let each = 0; each < 800; each++) {
      logFailure(logger, { event: 'test.failed', paymentId: `pay_${each}` }, away);
      jest.advanceTimersByTime(100);
    }
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', event: 'test.failed', paymentId: 'pay_0', cause: '53100' }),
      expect.objectContaining({
        level: 'warn',
        event: 'test.failed',
        reason: 'StoreUnavailable',
        count: 599,
      }),
    ]);
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(2)).toEqual([expect.objectContaining({ cause: '53100', count: 200 })]);
    jest.advanceTimersByTime(180_000);
    expect(lines).toHaveLength(3);
    logFailure(logger, { event: 'test.failed', paymentId: 'pay_later' }, away);
    expect(lines[3]).toMatchObject({ paymentId: 'pay_later' });
  });

  test('of another event or cause have lines of their own', () => {
    logFailure(logger, { event: 'test.failed' }, away);
    logFailure(logger, { event: 'test.other_failed' }, away);
    logFailure(logger, { event: 'test.failed' }, awayBy('57P01'));
    expect(lines.map(({ event, cause }) => [event, cause])).toEqual([
      ['test.failed', '53100'],
      ['test.other_failed', '53100'],
      ['test.failed', '57P01'],
    ]);
  });

  test('of a fault of ours have a stack, those of a store that is away none', () => {
    logFailure(logger, { event: 'test.failed' }, new TypeError('not a function'));
    logFailure(logger, { event: 'test.failed' }, away);
    expect(lines).toEqual([
      expect.objectContaining({ reason: 'TypeError', error: expect.objectContaining({ type: 'TypeError' }) }),
      expect.not.objectContaining({ error: expect.anything() }),
    ]);
  });
});
