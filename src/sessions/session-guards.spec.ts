import { describe, expect, test } from '@jest/globals';
import { Problem } from '../http/problems/problem.js';
import type { ReferenceRecord, SessionRecord } from '../store/schema.js';
import { DAY, HOUR, madeAt, paymentIn, referenceOf, sessionRecord } from '../../test/harness/records.js';
import { assertPayable, assertReferenceFree, assertTokenReads, isOverdue } from './session-guards.js';

const free = referenceOf(paymentIn('failed'));
const live: Partial<ReferenceRecord> = { livePaymentIds: ['pay_9'] };
const paid: Partial<ReferenceRecord> = { paidPaymentIds: ['pay_8'] };

function codeOf(act: () => void): string {
  try {
    act();
    return 'allowed';
  } catch (error) {
    return error instanceof Problem
      ? [error.code, error.extra.paymentId].filter(Boolean).join(' ')
      : 'broken';
  }
}

describe('whether a payment may be started', () => {
  test.each<[string, Partial<SessionRecord>, Partial<ReferenceRecord>, number, string]>([
    ['an open session', {}, {}, madeAt, 'allowed'],
    ['in its last millisecond', { expiresAt: madeAt }, {}, madeAt, 'allowed'],
    ['after its time, not yet marked', { expiresAt: madeAt - 1 }, {}, madeAt, 'session-expired'],
    ['expired', { status: 'expired' }, {}, madeAt, 'session-expired'],
    ['closed', { status: 'closed' }, {}, madeAt, 'session-closed'],
    ['closed, and its time is over', { status: 'closed', expiresAt: 0 }, {}, madeAt, 'session-closed'],
    ['paid', { status: 'paid' }, {}, madeAt, 'session-paid'],
    ['with a live payment', {}, live, madeAt, 'payment-in-progress pay_9'],
    ['with a live payment of another session', { id: 'cs_2' }, live, madeAt, 'payment-in-progress pay_9'],
    ['with a paid payment', {}, paid, madeAt, 'session-paid pay_8'],
    ['with both', {}, { ...live, ...paid }, madeAt, 'session-paid pay_8'],
    ['expired, with a live payment', { status: 'expired' }, live, madeAt, 'payment-in-progress pay_9'],
  ])('%s', (_name, session, reference, now, code) => {
    expect(codeOf(() => assertPayable(sessionRecord(session), { ...free, ...reference }, now))).toBe(code);
  });
});

describe('whether another session may be made', () => {
  test.each<[string, Partial<SessionRecord> | undefined, Partial<ReferenceRecord>, string]>([
    ['for a reference that never had one', undefined, {}, 'allowed'],
    ['after one that is open', {}, {}, 'reference-in-use'],
    ['after one that is open, with a live payment', {}, live, 'payment-in-progress pay_9'],
    ['after one whose time is over', { expiresAt: madeAt - 1 }, {}, 'allowed'],
    [
      'after one whose time is over, with a live payment',
      { expiresAt: 0 },
      live,
      'payment-in-progress pay_9',
    ],
    ['after one that expired', { status: 'expired' }, {}, 'allowed'],
    ['after one that was closed', { status: 'closed' }, {}, 'allowed'],
    ['after one that is paid', { status: 'paid' }, paid, 'reference-in-use'],
    ['after late money', { status: 'expired' }, paid, 'reference-in-use'],
    ['after one that was closed, with a late hold', { status: 'closed' }, live, 'payment-in-progress pay_9'],
  ])('%s', (_name, last, reference, code) => {
    const before = last && sessionRecord(last);
    expect(codeOf(() => assertReferenceFree(before, { ...free, ...reference }, madeAt))).toBe(code);
  });
});

describe('whether a session’s time is over', () => {
  test.each<[string, Partial<SessionRecord>, Partial<ReferenceRecord>, boolean]>([
    ['not yet', { expiresAt: madeAt }, {}, false],
    ['it is', { expiresAt: madeAt - 1 }, {}, true],
    ['a live payment keeps it open', { expiresAt: madeAt - 1 }, live, false],
    ['it ended otherwise', { expiresAt: madeAt - 1, status: 'closed' }, {}, false],
    ['it expired already', { expiresAt: madeAt - 1, status: 'expired' }, {}, false],
  ])('%s', (_name, session, reference, over) => {
    expect(isOverdue(sessionRecord(session), { ...free, ...reference }, madeAt)).toBe(over);
  });
});

test('a token reads until a day after its session’s end', () => {
  const session = sessionRecord({ expiresAt: madeAt });
  expect(codeOf(() => assertTokenReads(session, madeAt + DAY))).toBe('allowed');
  expect(codeOf(() => assertTokenReads(session, madeAt + DAY + 1))).toBe('unauthorized');
  expect(codeOf(() => assertTokenReads(undefined, madeAt - HOUR))).toBe('unauthorized');
});
