import { describe, expect, test } from '@jest/globals';
import type { GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import {
  answered,
  madeAt,
  operationRecord,
  ownMoney,
  paymentIn,
  referenceOf,
  SECOND,
  sessionRecord,
} from '../../../test/harness/records.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { interpretLate } from './late-answer.js';

function late(
  result: GatewayResult,
  payment: PaymentRecord,
  over: Partial<OperationRecord> = {},
): PaymentUpdate | undefined {
  return interpretLate(result, operationRecord({ status: 'intended', ...over }), {
    payment,
    reference: referenceOf(payment),
    session: sessionRecord(),
    openOperations: [],
    mode: 'test',
    now: madeAt,
    graceMs: 900 * SECOND,
    asksRefunds: false,
  });
}

describe('a late answer to the call that began a payment', () => {
  test.each<PaymentStatus>(['failed', 'canceled', 'expired', 'processing'])(
    'a success moves one that is %s',
    (status) => {
      const update = late(answered('succeeded', ownMoney), paymentIn(status));
      expect(update?.move).toMatchObject({ to: 'succeeded', by: 'gateway', captured: 150_000n });
    },
  );

  test.each<[GatewayMeaning, PaymentStatus]>([
    ['failed', 'succeeded'],
    ['expired', 'succeeded'],
    ['failed', 'authorized'],
    ['succeeded', 'voided'],
  ])('%s contradicts one that is %s: a person looks, and the gateway is asked again', (meaning, status) => {
    const update = late(answered(meaning, ownMoney), paymentIn(status));
    expect(update).toMatchObject({ attention: { reason: 'contradicting_answer' }, checkNow: true });
    expect(update?.move).toBeUndefined();
  });

  test.each(['wallet', 'transfer', 'ussd'] as const)('a success of a %s pays nothing: it waits', (method) => {
    for (const meaning of ['succeeded', 'authorized'] as const) {
      const open = late(answered(meaning, ownMoney), paymentIn('processing', { method }));
      expect(open).toMatchObject({ answered: true, waiting: true });
      const closed = late(answered(meaning, ownMoney), paymentIn('failed', { method }));
      expect([open?.move, closed?.move, closed?.attention]).toEqual([undefined, undefined, undefined]);
    }
  });

  test('what the payer must do reaches a payment that still waits', () => {
    const said = answered('processing', { ussdCode: '*901#' });
    const update = late(said, paymentIn('processing', { method: 'ussd' }));
    expect(update?.nextAction).toMatchObject({ type: 'ussd', code: '*901#' });
    expect(late(said, paymentIn('failed', { method: 'ussd' }))?.nextAction).toBeUndefined();
  });

  test('nothing that has just begun was given back', () => {
    const update = late(answered('refunded', ownMoney), paymentIn('failed'));
    expect(update?.timelineNote?.detail).toEqual({ reason: 'undecided' });
  });
});

describe('a late answer to an operation', () => {
  test('of a completion is believed with the completion’s own amount', () => {
    const part = { type: 'complete', amount: 40_000n } as const;
    const update = late(
      answered('succeeded', { ...ownMoney, amount: 40_000n }),
      paymentIn('authorized'),
      part,
    );
    expect(update?.move).toMatchObject({ to: 'succeeded', captured: 40_000n });
    expect(update?.operations).toEqual([]);
  });

  test.each<[OperationRecord['type'], GatewayMeaning]>([
    ['complete', 'failed'],
    ['complete', 'refused'],
    ['void', 'succeeded'],
    ['void', 'authorized'],
    ['void', 'failed'],
    ['void', 'processing'],
  ])('of a %s, %s says nothing of the payment: the gateway is asked', (type, meaning) => {
    for (const status of ['authorized', 'succeeded'] as const) {
      const update = late(answered(meaning, ownMoney), paymentIn(status), { type });
      expect(update).toMatchObject({ timelineNote: { type: 'inconclusive' }, checkNow: true });
      expect([update?.move, update?.attention]).toEqual([undefined, undefined]);
    }
  });

  test.each<PaymentStatus>(['authorized', 'succeeded', 'failed'])(
    'a void of one that is %s voids it',
    (status) => {
      const update = late(answered('voided', ownMoney), paymentIn(status), { type: 'void' });
      expect(update?.move).toEqual({ to: 'voided', by: 'gateway' });
    },
  );

  test('what waits for its payer keeps its action, which was asked for later: the gateway is asked', () => {
    const payment = paymentIn('requires_action', { nextAction: { type: 'pin' } });
    for (const type of ['pay', 'otp'] as const) {
      const update = late(answered('otp', ownMoney), payment, { type });
      expect(update).toMatchObject({ waiting: true, checkNow: true });
      expect([update?.nextAction, update?.timelineNote]).toEqual([undefined, undefined]);
    }
  });

  test('of a one-time code counts as it stands', () => {
    const update = late(answered('succeeded', ownMoney), paymentIn('failed'), { type: 'otp' });
    expect(update?.move?.to).toBe('succeeded');
  });
});

test.each<GatewayResult>([
  { kind: 'not-sent', reason: 'dns' },
  { kind: 'rejected', status: 400 },
  { kind: 'credentials-rejected', status: 401 },
  { kind: 'busy' },
])('$kind says nothing', (result) => {
  expect(late(result, paymentIn('failed'))).toBeUndefined();
});

test('a call without an answer may have been done: the gateway is asked at once', () => {
  expect(late({ kind: 'unknown', reason: 'timeout' }, paymentIn('failed'))).toEqual({ checkNow: true });
});
