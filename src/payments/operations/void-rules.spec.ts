import { describe, expect, test } from '@jest/globals';
import { operationRecord, paymentIn, referenceOf, sessionRecord } from '../../../test/harness/records.js';
import { Problem } from '../../http/problems/problem.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type { OperationRecord, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { assertVoidable, assertVoidableByPolicy } from './void-rules.js';

const session = sessionRecord({ status: 'paid' });
const first = paymentIn('succeeded', { id: 'pay_1', transactionRef: 'T-1' });
const second = paymentIn('succeeded', { id: 'pay_2', transactionRef: 'T-2', duplicateOf: 'pay_1' });

function rows(
  payment: PaymentRecord,
  other: PaymentRecord | undefined,
  open: { own?: OperationRecord[]; others?: OperationRecord[] } = {},
): PaymentSnapshot {
  const paidBeside: PaidBeside[] = other
    ? [{ payment: other, session, openOperations: open.others ?? [] }]
    : [];
  return {
    payment,
    session,
    reference: referenceOf(payment, {
      paidPaymentIds: ['pay_1', 'pay_2'].filter((id) => id === payment.id || id === other?.id),
    }),
    openOperations: open.own ?? [],
    paidBeside,
  };
}

describe('the policy voids', () => {
  test('a duplicate under another transaction', () => {
    expect(() => assertVoidableByPolicy(rows(second, first))).not.toThrow();
  });

  const refused = new Problem(
    'invalid-state',
    'This payment is not a duplicate that the policy may void now.',
  );
  const intended = operationRecord({ type: 'void', status: 'intended', actor: 'merchant' });

  test.each<[string, PaymentSnapshot]>([
    ['the first', rows(first, second)],
    ['one whose first is none any more', rows(second, undefined)],
    ['one that is no duplicate', rows({ ...second, duplicateOf: null }, first)],
    ['one that is voided', rows({ ...second, status: 'voided' }, first)],
    ['one with an operation open', rows(second, first, { own: [intended] })],
    ['one whose first has an operation open', rows(second, first, { others: [intended] })],
    [
      'one whose first has an operation of unknown outcome',
      rows(second, first, { others: [{ ...intended, type: 'complete', status: 'unknown' }] }),
    ],
    ['one that a person must look at', rows({ ...second, needsAttention: true }, first)],
    ['one whose first a person must look at', rows(second, { ...first, needsAttention: true })],
    ['the same transaction', rows({ ...second, transactionRef: 'T-1' }, first)],
    ['an unnamed transaction', rows({ ...second, transactionRef: null }, first)],
    ['one beside an unnamed transaction', rows(second, { ...first, transactionRef: null })],
  ])('not %s', (_name, snapshot) => {
    expect(() => {
      assertVoidableByPolicy(snapshot);
    }).toThrow(refused);
  });
});

describe('a person voids', () => {
  test.each<[PaymentStatus, boolean]>([
    ['authorized', true],
    ['succeeded', true],
    ['processing', false],
    ['requires_action', false],
    ['failed', false],
    ['canceled', false],
    ['expired', false],
    ['voided', false],
  ])('one that is %s: %s', (status, may) => {
    const asserting = expect(() => {
      assertVoidable(rows(paymentIn(status), undefined));
    });
    if (may) asserting.not.toThrow();
    else asserting.toThrow(/^invalid-state/);
  });

  test('not the first while the policy voids its duplicate, but beside any other operation', () => {
    const snapshot = (over: Partial<OperationRecord>) =>
      rows(first, second, { others: [operationRecord({ type: 'void', actor: 'policy', ...over })] });
    for (const status of ['intended', 'unknown'] as const) {
      expect(() => {
        assertVoidable(snapshot({ status }));
      }).toThrow(
        new Problem(
          'operation-in-progress',
          'The duplicate of this payment is being voided. Try again then.',
        ),
      );
    }
    expect(() => {
      assertVoidable(snapshot({ actor: 'merchant' }));
    }).not.toThrow();
    expect(() => {
      assertVoidable(rows(second, first, { own: [] }));
    }).not.toThrow();
  });
});
