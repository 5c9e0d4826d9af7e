import { expect, test } from '@jest/globals';
import { afterLostLease } from './lost-lease.js';
import type { Verdict } from '../state/payment-update.js';

const known: Verdict = { answered: true, waiting: true };

test.each<[string, Verdict]>([
  ['the gateway’s own word', { ...known, move: { to: 'succeeded', by: 'gateway', captured: 5n } }],
  ['what the gateway settles of operations', { ...known, operations: [{ id: 'op', status: 'confirmed' }] }],
  ['money that does not match', { ...known, attention: { reason: 'mismatch', answer: 'paid' } }],
  ['an answer that says nothing', { finding: { type: 'inconclusive' } }],
])('%s counts', (_name, verdict) => {
  expect(afterLostLease(verdict)).toEqual(verdict);
});

test.each(['service', 'clock', 'cancel'] as const)('what the %s concludes does not', (by) => {
  const verdict: Verdict = { ...known, move: { to: 'canceled', by }, conclusive: true };
  expect(afterLostLease(verdict)).toEqual(known);
});

test('a contradiction of what came since is asked about anew', () => {
  const verdict: Verdict = { ...known, attention: { reason: 'contradicting_answer', answer: 'paid' } };
  expect(afterLostLease(verdict)).toEqual({ ...known, askNow: true });
});
