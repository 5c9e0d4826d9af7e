import { describe, expect, test } from '@jest/globals';
import { Problem } from '../http/problems/problem.js';
import type { IdempotencyRecord, OperationStatus } from '../store/schema.js';
import { DAY, HOUR, madeAt, operationRecord } from '../../test/harness/records.js';
import { isReplay, keepKey, type KeyedRequest } from './idempotency.js';

const keys = ['s'.repeat(32)];
const request: KeyedRequest = {
  scope: 'session:cs_1',
  key: 'k',
  path: '/v1/payments/card',
  content: { a: 1 },
};
const made = { sessionId: 'cs_1', sessionExpiresAt: madeAt + HOUR };

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('no problem');
}

test('a key that was never seen is new', () => {
  expect(isReplay(undefined, undefined, request, keys, madeAt)).toBe(false);
});

test('a key whose time is over is as if it were not there, whatever it was used for', () => {
  const record = keepKey(request, keys, { ...made, paymentId: 'pay_1', operationId: 'op_1' }, madeAt);
  expect(record.expiresAt).toBe(madeAt + HOUR + 7 * DAY);
  const running = operationRecord({ status: 'intended' });
  const other = { ...request, content: { a: 2 } };
  expect(isReplay(record, operationRecord(), request, keys, record.expiresAt - 1)).toBe(true);
  expect(isReplay(record, operationRecord(), request, keys, record.expiresAt)).toBe(false);
  expect(isReplay(record, running, other, keys, record.expiresAt)).toBe(false);
});

describe('a key of an operation', () => {
  const record = keepKey(request, keys, { ...made, paymentId: 'pay_1', operationId: 'op_1' }, madeAt);

  test.each<[OperationStatus, boolean]>([
    ['confirmed', true],
    ['refused', true],
    // Whoever asked again is answered with what is known: the outcome is being found out.
    ['unknown', true],
  ])('that is %s is answered again', (status, replays) => {
    expect(isReplay(record, operationRecord({ status }), request, keys, madeAt)).toBe(replays);
  });

  test('that is under way: told so, with the payment', () => {
    const running = operationRecord({ status: 'intended' });
    const problem = problemOf(() => isReplay(record, running, request, keys, madeAt));
    expect([problem.code, problem.extra.paymentId]).toEqual(['idempotency-in-flight', 'pay_1']);
    expect(problem.detail).toBe('The first request with this key still runs: ask again shortly.');
  });

  test('whose row has gone, or whose time has passed, is answered again, never made anew', () => {
    expect(isReplay(record, undefined, request, keys, madeAt)).toBe(true);
    const timed = { ...record, runningUntil: madeAt };
    expect(isReplay(timed, operationRecord(), request, keys, madeAt)).toBe(true);
  });

  test.each<[string, Partial<KeyedRequest>]>([
    ['body', { content: { a: 2 } }],
    ['path', { path: '/v1/payments/wallet' }],
  ])('with another %s is refused, even while it runs', (_name, over) => {
    const running = operationRecord({ status: 'intended' });
    const problem = problemOf(() => isReplay(record, running, { ...request, ...over }, keys, madeAt));
    expect(problem.code).toBe('idempotency-key-reused');
    expect(problem.detail).toBe(
      'This Idempotency-Key was used for another request: use a new key for a new request.',
    );
  });
});

describe('a key without an operation', () => {
  const keep = (runningUntil?: number): IdempotencyRecord =>
    keepKey(request, keys, { ...made, paymentId: 'pay_1', runningUntil }, madeAt);

  test('has finished when it was written', () => {
    expect(isReplay(keep(), undefined, request, keys, madeAt)).toBe(true);
  });

  test('or is under way until its time', () => {
    const problem = problemOf(() => isReplay(keep(madeAt + 1), undefined, request, keys, madeAt));
    expect(problem.code).toBe('idempotency-in-flight');
  });

  test('is under way without a payment to name', () => {
    const record = keepKey(request, keys, { ...made, runningUntil: madeAt + 1 }, madeAt);
    const problem = problemOf(() => isReplay(record, undefined, request, keys, madeAt));
    expect(problem.extra).toStrictEqual({});
  });

  test('or died halfway, and is as good as new', () => {
    expect(isReplay(keep(madeAt), undefined, request, keys, madeAt)).toBe(false);
  });
});

test.each([
  ['after the session’s end', madeAt + HOUR, madeAt + HOUR + 7 * DAY],
  ['after it was made, where that is later', madeAt - HOUR, madeAt + 7 * DAY],
])('is kept 7 days %s', (_name, sessionExpiresAt, expiresAt) => {
  expect(keepKey(request, keys, { ...made, sessionExpiresAt }, madeAt).expiresAt).toBe(expiresAt);
});

test('is kept for ever where what it has made must never be made again', () => {
  const record = keepKey(request, keys, { ...made, lasts: true }, madeAt);
  expect(isReplay(record, undefined, request, keys, madeAt + 1_000 * 365 * DAY)).toBe(true);
});

test('keeps nothing of the content but its fingerprint', () => {
  const record = keepKey({ ...request, content: { secret: 'never-kept' } }, keys, made, madeAt);
  expect(JSON.stringify(record)).not.toContain('never-kept');
  expect(record).toMatchObject({ scope: 'session:cs_1', key: 'k', operationId: null, runningUntil: null });
});
