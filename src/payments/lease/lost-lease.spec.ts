import { expect, test } from '@jest/globals';
import { afterLostLease } from './payment-lease.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const known: PaymentUpdate = { answered: true, waiting: true };

test.each<[string, PaymentUpdate]>([
  ['the gateway’s own word', { ...known, move: { to: 'succeeded', by: 'gateway', captured: 5n } }],
  ['what the gateway settles of operations', { ...known, operations: [{ id: 'op', status: 'confirmed' }] }],
  ['money that does not match', { ...known, attention: { reason: 'mismatch', answer: 'paid' } }],
  ['an answer that says nothing', { timelineNote: { type: 'inconclusive' } }],
])('%s counts', (_name, update) => {
  expect(afterLostLease(update)).toEqual(update);
});

test.each(['service', 'clock', 'cancel'] as const)('what the %s concludes does not', (by) => {
  const update: PaymentUpdate = { ...known, move: { to: 'canceled', by }, conclusive: true };
  expect(afterLostLease(update)).toEqual(known);
});

test('a contradiction of what came since raises attention, and is asked about anew', () => {
  const update: PaymentUpdate = { ...known, attention: { reason: 'contradicting_answer', answer: 'paid' } };
  expect(afterLostLease(update)).toEqual({ ...update, checkNow: true });
});

test('an operation that may have been sent since is not counted as not arrived', () => {
  const update: PaymentUpdate = {
    ...known,
    operations: [
      { id: 'op_pay', status: 'confirmed' },
      { id: 'op_void', status: 'refused', formerCount: 3 },
    ],
  };
  expect(afterLostLease(update)).toEqual({
    ...known,
    operations: [{ id: 'op_pay', status: 'confirmed' }],
  });
});

test('a sum from which an open refund was concluded is left to the next answer, whose rise settles that refund', () => {
  const update: PaymentUpdate = {
    ...known,
    conclusive: true,
    refunded: 500n,
    operations: [{ id: 'ref_1', status: 'confirmed', inferred: true }],
  };
  expect(afterLostLease(update)).toEqual({ ...known, operations: [], checkNow: true });
  const besides: PaymentUpdate = { ...known, conclusive: true, refunded: 500n };
  expect(afterLostLease(besides)).toEqual(besides);
});

test('what the payer is to do is asked for anew: they may have done it since, and their card may be charged', () => {
  const update: PaymentUpdate = {
    ...known,
    conclusive: true,
    nextAction: { type: 'otp' },
    timelineNote: { type: 'action_changed' },
    operations: [
      { id: 'op_pay', status: 'confirmed' },
      { id: 'op_otp', status: 'refused', inferred: true },
    ],
  };
  expect(afterLostLease(update)).toEqual({
    ...known,
    operations: [{ id: 'op_pay', status: 'confirmed' }],
    checkNow: true,
  });
});
