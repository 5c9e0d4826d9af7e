import { describe, expect, test } from '@jest/globals';
import type { SessionStatus } from '../store/schema.js';
import { madeAt, MINUTE, sessionRecord } from '../../test/harness/records.js';
import { moveSession, canSessionMove } from './move-session.js';

const all: readonly SessionStatus[] = ['open', 'paid', 'expired', 'closed'];
const move = { epoch: 0, at: madeAt, livemode: false, deliver: true };

describe('the moves of a session', () => {
  test.each<[SessionStatus, SessionStatus[]]>([
    ['open', ['paid', 'expired', 'closed']],
    ['paid', ['closed']],
    ['expired', ['paid']],
    ['closed', ['paid']],
  ])('%s becomes %j', (from, to) => {
    expect(all.filter((status) => canSessionMove(from, status))).toEqual(to);
  });
});

test('a move says when, why and in which place, and announces it without the payer', () => {
  const before = sessionRecord({ eventSequence: 2 });
  const moved = moveSession(before, { ...move, to: 'closed', closedReason: 'merchant' });
  expect(moved?.session).toMatchObject({
    status: 'closed',
    closedReason: 'merchant',
    finishedAt: madeAt,
    updatedAt: madeAt,
    eventSequence: 3,
  });
  expect(moved?.event).toMatchObject({
    type: 'checkout_session.closed',
    aggregateId: before.id,
    sequence: 3,
    deliveryStatus: 'pending',
  });
  expect(JSON.parse(moved?.event.data ?? '')).toMatchObject({
    id: before.id,
    status: 'closed',
    metadata: { cart: '42' },
  });
  expect(moved?.event.data).not.toContain('ada@example.com');
});

test('late money reopens nothing: when it was finished stays, why it was closed goes', () => {
  const closed = sessionRecord({ status: 'closed', closedReason: 'declines', finishedAt: madeAt - MINUTE });
  const moved = moveSession(closed, { ...move, to: 'paid', late: true });
  expect(moved?.session).toMatchObject({ status: 'paid', closedReason: null, finishedAt: madeAt - MINUTE });
  expect(moved?.event).toMatchObject({ late: true });
});

test('a clock that was set back disorders nothing', () => {
  const moved = moveSession(sessionRecord({ updatedAt: madeAt + MINUTE }), { ...move, to: 'expired' });
  expect(moved?.session.updatedAt).toBe(madeAt + MINUTE);
});

test('a move that there is not is none', () => {
  expect(moveSession(sessionRecord({ status: 'paid' }), { ...move, to: 'expired' })).toBeUndefined();
  expect(moveSession(sessionRecord({ status: 'closed' }), { ...move, to: 'closed' })).toBeUndefined();
});

test('without an address nothing is to be delivered', () => {
  const moved = moveSession(sessionRecord(), { ...move, to: 'paid', deliver: false });
  expect(moved?.event).toMatchObject({ deliveryStatus: 'none', nextAttemptAt: null });
});
