import { describe, expect, test } from '@jest/globals';
import { Problem } from '../../http/problems/problem.js';
import type { OperationType, PaymentStatus } from '../../store/schema.js';
import { operationRecord, paymentIn, statuses } from '../../../test/harness/records.js';
import { disputedAnswer, withAttention } from '../state/attention.js';
import { interpretResolution, type Resolution } from './interpret-resolution.js';
import type { PaymentUpdate } from '../state/payment-update.js';

function resolve(
  status: PaymentStatus,
  as: Resolution['status'],
  over: Partial<Resolution> = {},
): PaymentUpdate {
  const payment = paymentIn(status, { needsAttention: true });
  return interpretResolution(
    { status: as, note: 'Seen on the statement', ...over },
    { payment, openOperations: [], ownerGone: true },
  );
}

/** What a person's word may make of each status. */
const allowed: Record<PaymentStatus, Resolution['status'][]> = {
  processing: ['succeeded', 'failed', 'voided'],
  requires_action: ['succeeded', 'failed', 'voided'],
  authorized: ['succeeded', 'failed', 'voided'],
  succeeded: ['succeeded', 'voided'],
  failed: ['succeeded', 'failed', 'voided'],
  canceled: ['succeeded', 'failed', 'voided'],
  expired: ['succeeded', 'failed', 'voided'],
  voided: ['voided'],
};

describe.each(statuses)('a payment that is %s', (status) => {
  test.each(['succeeded', 'failed', 'voided'] as const)('resolved as %s', (as) => {
    if (!allowed[status].includes(as)) {
      expect(() => resolve(status, as)).toThrow(
        new Problem('invalid-state', `A payment that is ${status} cannot be resolved as ${as}.`),
      );
      return;
    }
    const update = resolve(status, as);
    expect(update).toMatchObject({ resolved: true, conclusive: true });
    expect(update.timelineNote).toEqual({ type: 'resolved', detail: { as, note: 'Seen on the statement' } });
    // "It failed" leaves one that is canceled or expired as it is.
    const stays = status === as || (as === 'failed' && ['canceled', 'expired'].includes(status));
    expect(update.move).toEqual(stays ? undefined : expect.objectContaining({ to: as, by: 'person' }));
  });
});

test('only what needs attention can be resolved', () => {
  const calm = { payment: paymentIn('processing'), openOperations: [], ownerGone: true };
  expect(() => interpretResolution({ status: 'succeeded', note: 'x' }, calm)).toThrow(
    new Problem('invalid-state', 'This payment does not need attention.'),
  );
});

describe('an operation that is still intended', () => {
  const payment = paymentIn('authorized', { needsAttention: true });
  const during = (type: OperationType, as: Resolution['status'], ownerGone: boolean) =>
    interpretResolution(
      { status: as, note: 'x' },
      { payment, openOperations: [operationRecord({ type, status: 'intended' })], ownerGone },
    );

  test('is settled where no process is at work on it', () => {
    const { operations } = during('complete', 'succeeded', true);
    expect(operations).toEqual([{ id: 'op_complete', status: 'confirmed' }]);
  });

  test.each(['pay', 'otp', 'pin', 'complete', 'void', 'refund'] as const)(
    'is being sent where its process lives: nothing is resolved during %s',
    (type) => {
      for (const as of ['succeeded', 'failed', 'voided'] as const) {
        expect(() => during(type, as, false)).toThrow(
          expect.objectContaining({ code: 'operation-in-progress' }),
        );
      }
    },
  );

  test('one of unknown outcome is not being sent, whoever asks about it', () => {
    const openOperations = [operationRecord({ type: 'complete', status: 'unknown' })];
    const rows = { payment, openOperations, ownerGone: false };
    expect(interpretResolution({ status: 'failed', note: 'x' }, rows).operations).toEqual([
      { id: 'op_complete', status: 'refused' },
    ]);
  });
});

test('a failure by a person says so', () => {
  expect(resolve('processing', 'failed').move?.failure).toMatchObject({ code: 'resolved', retryable: false });
  expect(resolve('processing', 'voided').move).toStrictEqual({ to: 'voided', by: 'person' });
});

describe('how much was received', () => {
  test('is what the person says, even where the payment stays where it is', () => {
    expect(resolve('processing', 'succeeded', { amountReceived: 140_000n }).captured).toBe(140_000n);
    const stays = resolve('succeeded', 'succeeded', { amountReceived: 140_000n });
    expect([stays.move, stays.captured]).toEqual([undefined, 140_000n]);
  });

  test('is else what was owed, held or asked for', () => {
    expect(resolve('processing', 'succeeded').captured).toBe(150_000n);
    expect(resolve('succeeded', 'succeeded').captured).toBeUndefined();
    expect(resolve('processing', 'failed')).not.toHaveProperty('captured');
    const payment = paymentIn('authorized', { needsAttention: true });
    const openOperations = [
      operationRecord({ type: 'void', amount: 150_000n }),
      operationRecord({ type: 'complete', amount: 100_000n }),
    ];
    const part = interpretResolution(
      { status: 'succeeded', note: 'x' },
      { payment, openOperations, ownerGone: true },
    );
    expect(part.captured).toBe(100_000n);
  });
});

test.each([
  ['succeeded', 'confirmed', 'refused'],
  ['voided', 'refused', 'confirmed'],
  ['failed', 'refused', 'refused'],
] as const)('as %s a completion is %s and a void %s', (as, completed, voided) => {
  const payment = paymentIn('authorized', { needsAttention: true });
  const openOperations = [operationRecord({ type: 'complete' }), operationRecord({ type: 'void' })];
  const { operations } = interpretResolution(
    { status: as, note: 'x' },
    { payment, openOperations, ownerGone: true },
  );
  expect(operations).toEqual([
    { id: 'op_complete', status: completed },
    { id: 'op_void', status: voided },
  ]);
});

test('a note is kept without card-like digit runs', () => {
  const { timelineNote } = resolve('processing', 'failed', { note: 'Card 5060990580000217499' });
  expect(timelineNote?.detail?.['note']).toBe('Card …');
});

test('which answer a kept attention is about', () => {
  const none = withAttention(null, { reason: 'no_conclusive_answer' });
  const both = withAttention(none, { reason: 'mismatch', answer: 'succeeded:1:two\nwords:' });
  expect(disputedAnswer({ attentionReason: null }, 'mismatch')).toBeUndefined();
  expect(disputedAnswer({ attentionReason: both }, 'no_conclusive_answer')).toBeUndefined();
  expect(disputedAnswer({ attentionReason: both }, 'mismatch')).toBe('succeeded:1:two words:');
});

describe('what went back of a payment that a person calls paid', () => {
  const word = (payment: Parameters<typeof paymentIn>[1], over: Partial<Resolution> = {}) =>
    interpretResolution(
      { status: 'succeeded', note: 'x', ...over },
      { payment: paymentIn(payment?.status ?? 'canceled', payment), openOperations: [], ownerGone: true },
    );
  const unpaid = (answer: string) => ({
    needsAttention: true,
    attentionReason: `mismatch x\nrefund_of_unpaid ${answer}`,
  });

  test.each<[string, string, bigint | undefined, bigint | undefined]>([
    ['all of it', 'refunded:::', undefined, 150_000n],
    ['all that arrived', 'refunded:::', 100_000n, 100_000n],
    ['so much', 'refunded:150000:NGN:ORDER-1_1:50000', undefined, 50_000n],
    ['a part', 'partiallyRefunded::::50000', undefined, 50_000n],
    ['a part, nobody knows how much', 'partiallyRefunded:::', undefined, undefined],
    ['nothing', 'chargedBack::::50000', undefined, undefined],
  ])('is what the gateway said: %s', (_name, answer, amountReceived, refunded) => {
    expect(word(unpaid(answer), amountReceived === undefined ? {} : { amountReceived }).refunded).toBe(
      refunded,
    );
  });

  const more = new Problem('invalid-state', 'More than this was given back or charged back of the payment.');
  const back = { status: 'succeeded', needsAttention: true, attentionReason: 'mismatch x' } as const;

  test.each<[string, Parameters<typeof word>[0], bigint]>([
    ['was given back', { ...back, amountRefunded: 100_000n }, 100_000n],
    ['was charged back', { ...back, disputed: true, amountDisputed: 100_000n }, 100_000n],
    [
      'both together',
      { ...back, amountRefunded: 50_000n, disputed: true, amountDisputed: 50_000n },
      100_000n,
    ],
    ['the gateway said of one that was not paid', unpaid('refunded::::100000'), 100_000n],
  ])('is never more than arrived: what %s', (_name, payment, least) => {
    expect(() => word(payment, { amountReceived: least })).not.toThrow();
    expect(() => word(payment, { amountReceived: least - 1n })).toThrow(more);
  });

  test('may stay more than arrived, which a person has seen', () => {
    const twice = { ...back, amountRefunded: 50_000n, disputed: true, amountDisputed: 150_000n };
    expect(() => word(twice)).not.toThrow();
    expect(() => word(twice, { amountReceived: 150_000n })).not.toThrow();
  });
});
