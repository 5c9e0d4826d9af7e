import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../http/problems/problem.js';
import {
  operationRecord,
  paymentIn,
  referenceOf,
  sessionRecord,
  statuses,
} from '../../../test/harness/records.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { amountToRefund, assertRefundable, restToRefund } from './refund.js';

const paid = (over: Partial<PaymentRecord> = {}): PaymentRecord =>
  paymentIn('succeeded', { amountCaptured: 150_000n, ...over });
const rowsOf = (payment: PaymentRecord, openOperations: OperationRecord[] = []): PaymentSnapshot => ({
  payment,
  openOperations,
  reference: referenceOf(payment),
  session: sessionRecord(),
  paidBeside: [],
});
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as Problem).code;
  }
};

describe('what is left to refund', () => {
  test('is what was taken, without what was given back and what may have been', () => {
    const sums = fc.bigInt({ min: 0n, max: 200_000n });
    fc.assert(
      fc.property(sums, fc.array(sums, { maxLength: 3 }), (refunded, open) => {
        const payment = paid({ amountRefunded: refunded });
        const operations = open.map((amount) => operationRecord({ type: 'refund', amount }));
        const rest = restToRefund(payment, operations);
        expect(rest).toBeGreaterThanOrEqual(0n);
        const whole = [refunded, ...open].reduce((sum, amount) => sum + amount, 0n);
        expect(rest === 0n || rest + whole === 150_000n).toBe(true);
        expect(rest === 0n).toBe(whole >= 150_000n);
      }),
    );
  });

  test('other operations take nothing of it', () => {
    expect(restToRefund(paid(), [operationRecord({ type: 'complete', amount: 1n })])).toBe(150_000n);
  });

  test.each([
    [undefined, 'ok'],
    ['1500.00', 'ok'],
    ['0.01', 'ok'],
    ['1500.01', 'invalid-state'],
    ['0.00', 'validation-failed'],
    ['0', 'validation-failed'],
    ['-1.00', 'validation-failed'],
    ['1.001', 'validation-failed'],
    ['x', 'validation-failed'],
  ])('of 1500.00, %s: %s', (amount, code) => {
    expect(codeOf(() => amountToRefund(rowsOf(paid()), amount))).toBe(code);
  });

  test('is what a refund without an amount gives back', () => {
    expect(amountToRefund(rowsOf(paid({ amountRefunded: 100n })), undefined)).toBe(149_900n);
    expect(codeOf(() => amountToRefund(rowsOf(paid({ amountRefunded: 150_000n })), undefined))).toBe(
      'invalid-state',
    );
    expect(codeOf(() => amountToRefund(rowsOf(paid({ amountRefunded: 150_000n })), '0.01'))).toBe(
      'invalid-state',
    );
  });
});

describe('whether a payment may be refunded', () => {
  test.each(statuses)('%s', (status) => {
    const code = codeOf(() => assertRefundable(rowsOf(paymentIn(status))));
    expect(code).toBe(status === 'succeeded' ? 'ok' : 'invalid-state');
  });

  test.each<[string, Partial<PaymentRecord>, string]>([
    ['disputed', { disputed: true }, 'invalid-state'],
    ['unclear how much was', { needsAttention: true, attentionReason: 'refund_unclear x' }, 'invalid-state'],
    [
      'contradicted by a late answer',
      { needsAttention: true, attentionReason: 'refund_contradicted x' },
      'invalid-state',
    ],
    ['looked at for something else', { needsAttention: true, attentionReason: 'unlisted_word x' }, 'ok'],
    ['a duplicate', { duplicateOf: 'pay_0' }, 'ok'],
  ])('%s: %#', (_, over, code) => {
    expect(codeOf(() => assertRefundable(rowsOf(paid(over))))).toBe(code);
  });
});
