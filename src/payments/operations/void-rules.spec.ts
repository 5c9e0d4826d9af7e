import { describe, expect, test } from '@jest/globals';
import { operationRecord, paymentIn, referenceOf, sessionRecord } from '../../../test/harness/records.js';
import { Problem } from '../../http/problems/problem.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type { OperationRecord, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { assertVoidable, assertVoidableByPolicy, policyObstacle, type Obstacle } from './void.js';

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

  test.each<[string, PaymentRecord, PaymentRecord]>([
    ['whatever was given back of the first in part', second, { ...first, amountRefunded: 10_000n }],
    ['and of which a part was charged back', second, { ...first, disputed: true, amountDisputed: 10_000n }],
    [
      'that it could not void before',
      { ...second, needsAttention: true, attentionReason: 'duplicate_not_voided' },
      first,
    ],
  ])('one %s', (_name, duplicate, payer) => {
    expect(() => assertVoidableByPolicy(rows(duplicate, payer))).not.toThrow();
  });

  const refused = new Problem(
    'invalid-state',
    'This payment is not a duplicate that the policy may void now.',
  );
  const looked = { needsAttention: true, attentionReason: 'mismatch x' };
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
    ['one that a person must look at', rows({ ...second, ...looked }, first)],
    ['one whose first a person must look at', rows(second, { ...first, ...looked })],
    ['one that was announced as paying itself', rows({ ...second, announcedPaidAt: 1 }, first)],
    ['one whose first was given back whole', rows(second, { ...first, amountRefunded: 150_000n })],
    ['one whose first was charged back', rows(second, { ...first, disputed: true })],
    ['one that was given back whole', rows({ ...second, amountRefunded: 150_000n }, first)],
    ['one whose first may be voided', rows(second, { ...first, voidDoubtfulSince: 1 })],
    ['one that may be voided', rows({ ...second, voidDoubtfulSince: 1 }, first)],
    ['the same transaction', rows({ ...second, transactionRef: 'T-1' }, first)],
    ['an unnamed transaction', rows({ ...second, transactionRef: null }, first)],
    ['one beside an unnamed transaction', rows(second, { ...first, transactionRef: null })],
  ])('not %s', (_name, snapshot) => {
    expect(() => {
      assertVoidableByPolicy(snapshot);
    }).toThrow(refused);
  });
});

describe('the policy has a person look', () => {
  const open = operationRecord({ type: 'refund', status: 'unknown' });
  const doubtful = { voidDoubtfulSince: 1 };

  test.each<[string, PaymentSnapshot, Obstacle['attention'], string]>([
    [
      'an operation of unknown outcome',
      rows(second, first, { own: [open] }),
      'duplicate_not_voided',
      'pay_2',
    ],
    ['one of the first', rows(second, first, { others: [open] }), 'duplicate_not_voided', 'pay_2'],
    [
      'not one that is being sent',
      rows(second, first, { others: [{ ...open, status: 'intended' }] }),
      undefined,
      'pay_2',
    ],
    ['one transaction', rows({ ...second, transactionRef: 'T-1' }, first), 'duplicate_not_voided', 'pay_2'],
    ['not an unnamed one', rows({ ...second, transactionRef: null }, first), undefined, 'pay_2'],
    ['a part given back', rows({ ...second, amountRefunded: 1n }, first), 'duplicate_not_voided', 'pay_2'],
    ['a doubtful void', rows({ ...second, ...doubtful }, first), 'void_denied', 'pay_2'],
    ['a doubtful void of the first', rows(second, { ...first, ...doubtful }), 'void_denied', 'pay_1'],
    [
      'not twice at a doubtful one',
      rows(second, { ...first, ...doubtful, needsAttention: true, attentionReason: 'void_denied' }),
      undefined,
      'pay_1',
    ],
    [
      'not twice at one that is not voided',
      rows({ ...second, needsAttention: true, attentionReason: 'duplicate_not_voided' }, first, {
        own: [open],
      }),
      undefined,
      'pay_2',
    ],
  ])('at %s', (_name, snapshot, attention, id) => {
    const obstacle = policyObstacle(snapshot);
    expect([obstacle?.attention, obstacle?.of.id]).toEqual([attention, id]);
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
          'A duplicate of this payment is being voided. Try again when that has finished.',
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
