import { expect, test } from '@jest/globals';
import { interpretAttempt } from './delivery-outcome.js';
import type { Attempt } from './webhook-sender.js';

const HOUR = 3_600_000;
const event = { id: 'evt_1', leaseUntil: 30_000, attempts: 1, firstAttemptAt: 5_000 };
const answered = (status: number): Attempt => ({ kind: 'answered', status });
const failed = (reason: Extract<Attempt, { kind: 'failed' }>['reason']): Attempt => ({
  kind: 'failed',
  reason,
});

test.each([
  [answered(200), 'delivered', null, 'http_200'],
  [answered(202), 'delivered', null, 'http_202'],
  [answered(299), 'delivered', null, 'http_299'],
  [answered(410), 'gone', null, 'http_410'],
  [answered(300), 'pending', 11_000, 'http_300'],
  [answered(307), 'pending', 11_000, 'http_307'],
  [answered(400), 'pending', 11_000, 'http_400'],
  [answered(404), 'pending', 11_000, 'http_404'],
  [answered(429), 'pending', 11_000, 'http_429'],
  [answered(500), 'pending', 11_000, 'http_500'],
  [failed('timeout'), 'pending', 11_000, 'timeout'],
  [failed('no_answer'), 'pending', 11_000, 'no_answer'],
  [failed('interrupted'), 'pending', 10_000, 'interrupted'],
])('%j: %s', (attempt, status, nextAttemptAt, lastResult) => {
  expect(interpretAttempt(event, attempt, 10_000, () => 0.5)).toEqual({
    id: 'evt_1',
    leaseUntil: 30_000,
    status,
    nextAttemptAt,
    lastResult,
  });
});

test.each([
  [answered(500), 'given_up', null],
  [failed('unreachable'), 'given_up', null],
  [answered(200), 'delivered', null],
  [failed('interrupted'), 'pending', 5_000 + 72 * HOUR],
])('72 h after the first attempt, %j: %s', (attempt, status, nextAttemptAt) => {
  const outcome = interpretAttempt({ ...event, attempts: 78 }, attempt, 5_000 + 72 * HOUR);
  expect(outcome).toMatchObject({ status, nextAttemptAt });
});
