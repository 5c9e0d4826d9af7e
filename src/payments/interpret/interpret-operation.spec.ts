import { describe, expect, test } from '@jest/globals';
import type { GatewayMeaning, GatewayResult, UnknownReason } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import {
  answered,
  operationRecord,
  ownMoney,
  paymentIn,
  paymentRecord,
  referenceOf,
} from '../../../test/harness/records.js';
import { mean, POLICY } from './meaning.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const waitsForCode = paymentRecord({
  status: 'requires_action',
  nextAction: { type: 'otp' },
  answered: true,
});

function otp(result: GatewayResult, payment: PaymentRecord = waitsForCode): PaymentUpdate {
  const operation = operationRecord({ type: 'otp', status: 'intended' });
  return mean(result, { payment, reference: referenceOf(payment), operation, mode: 'live' });
}

function completion(
  result: GatewayResult,
  amount = 150_000n,
  payment = paymentIn('authorized'),
): PaymentUpdate {
  const operation = operationRecord({ type: 'complete', status: 'intended', amount });
  return mean(result, { payment, reference: referenceOf(payment), operation, mode: 'live' });
}

function voiding(result: GatewayResult, payment = paymentIn('succeeded')): PaymentUpdate {
  const operation = operationRecord({ type: 'void', status: 'intended' });
  return mean(result, { payment, reference: referenceOf(payment), operation, mode: 'live' });
}

const interprets = [
  ['a one-time code', otp, 'op_otp'],
  ['a completion', completion, 'op_complete'],
  ['a void', voiding, 'op_void'],
] as const;

describe.each(interprets)('what is not done by %s', (_name, interpret, id) => {
  const refused = [{ id, status: 'refused' }];

  test.each<[string, GatewayResult]>([
    ['400', { kind: 'rejected', status: 400 }],
    ['404', { kind: 'rejected', status: 404 }],
    ['422', { kind: 'rejected', status: 422 }],
    ['error: true', answered('refused')],
  ])('%s: refused, nothing moves, and the gateway is asked at once', (_case, result) => {
    const update = interpret(result);
    expect(update).toMatchObject({
      operations: refused,
      checkNow: true,
      problem: {
        code: 'gateway-refused',
        detail: 'The gateway refused this; the payment stays as it was.',
      },
    });
    expect(update.move).toBeUndefined();
  });

  const notReached = 'The gateway could not be reached; nothing was sent.';
  const notAllowed = 'The gateway rejected the merchant’s credentials.';
  const busy = 'The gateway is busy. Try again later.';
  test.each<[string, GatewayResult, PaymentUpdate['problem']]>([
    [
      'not sent',
      { kind: 'not-sent', reason: 'abandoned' },
      { code: 'gateway-unavailable', detail: notReached },
    ],
    [
      '401',
      { kind: 'credentials-rejected', status: 401 },
      { code: 'gateway-credentials-rejected', detail: notAllowed },
    ],
    [
      '403',
      { kind: 'credentials-rejected', status: 403 },
      { code: 'gateway-credentials-rejected', detail: notAllowed },
    ],
    [
      '429',
      { kind: 'busy', retryAfterSeconds: 9 },
      { code: 'gateway-busy', detail: busy, retryAfterSeconds: 9 },
    ],
    ['429 alone', { kind: 'busy' }, { code: 'gateway-busy', detail: busy, retryAfterSeconds: 5 }],
  ])('%s: nothing moves, and the caller is told why', (_case, result, problem) => {
    expect(interpret(result)).toEqual({ operations: refused, problem });
  });

  const type = id.slice('op_'.length);

  test.each<UnknownReason>(['timeout', 'reset', 'http-status', 'contradiction', 'cut'])(
    '%s: unknown',
    (reason) => {
      const update = interpret({ kind: 'unknown', reason });
      expect(update.operations).toEqual([{ id, status: 'unknown' }]);
      expect(update.timelineNote).toEqual({ type: 'outcome_unknown', detail: { operation: type, reason } });
      expect([update.problem, update.attention, update.conclusive]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test.each<GatewayMeaning>(['undecided', 'unknownTransaction'])('%s: unknown', (meaning) => {
    const update = interpret(answered(meaning));
    expect(update.operations).toEqual([{ id, status: 'unknown' }]);
    expect(update.timelineNote?.detail).toEqual({ operation: type, reason: meaning });
  });
});

describe('a one-time code', () => {
  test.each<[GatewayMeaning, object]>([
    ['succeeded', { to: 'succeeded', by: 'gateway', captured: 150_000n }],
    ['authorized', { to: 'authorized', by: 'gateway', authorized: 150_000n }],
    ['failed', { to: 'failed', by: 'gateway' }],
    ['expired', { to: 'expired', by: 'gateway' }],
    ['voided', { to: 'voided', by: 'gateway' }],
    ['processing', { to: 'processing', by: 'service' }],
  ])('%s decides the payment', (meaning, move) => {
    const update = otp(answered(meaning, ownMoney));
    expect(update.move).toMatchObject(move);
    expect(update).toMatchObject({ answered: true, conclusive: true });
    const done = meaning !== 'failed' && meaning !== 'expired';
    expect(update.operations).toEqual([{ id: 'op_otp', status: done ? 'confirmed' : 'refused' }]);
  });

  test('a failure says why', () => {
    expect(otp(answered('failed', { message: 'No', code: '51' })).move?.failure).toMatchObject({
      code: 'declined',
      message: 'No',
      gatewayCode: '51',
    });
    expect(otp(answered('expired')).move?.failure?.code).toBe('expired');
  });

  test('again: the action stays', () => {
    const update = otp(answered('otp', { otpMessage: 'Once more' }));
    expect(update).toMatchObject({
      operations: [{ id: 'op_otp', status: 'refused' }],
      answered: true,
      waiting: true,
      conclusive: true,
      timelineNote: { type: 'otp_asked_again' },
    });
    expect([update.move, update.nextAction, update.problem]).toEqual([undefined, undefined, undefined]);
  });

  test('then a redirect', () => {
    const redirectUrl = 'https://bank.example/';
    expect(otp(answered('redirect', { redirectUrl }))).toMatchObject({
      nextAction: { url: redirectUrl },
      operations: [{ status: 'confirmed' }],
      waiting: true,
    });
    expect(otp(answered('redirect', { redirectUrl: 'http://x.example/' }))).toMatchObject({
      operations: [{ status: 'unknown' }],
      move: { to: 'processing' },
      timelineNote: { detail: { reason: 'redirect_address_withheld' } },
    });
    // The lease was lost, and somebody else has found out meanwhile.
    expect(otp(answered('redirect', { redirectUrl }), paymentIn('expired')).nextAction).toBeUndefined();
  });

  test('unknown: the payer need not enter it again', () => {
    expect(otp({ kind: 'unknown', reason: 'timeout' }).move).toEqual({ to: 'processing', by: 'service' });
    expect(otp({ kind: 'unknown', reason: 'timeout' }, paymentIn('succeeded')).move).toBeUndefined();
    expect(otp(answered('processing'), paymentIn('failed')).move).toBeUndefined();
  });

  test('then the gateway works on it', () => {
    expect(otp(answered('processing'))).toMatchObject({
      operations: [{ status: 'confirmed' }],
      waiting: true,
      timelineNote: { type: 'gateway_waiting' },
    });
  });

  test.each(['succeeded', 'authorized'] as const)(
    '%s with another amount is unknown, and wants attention',
    (meaning) => {
      const update = otp(answered(meaning, { ...ownMoney, amount: 1n }));
      expect(update).toMatchObject({
        operations: [{ status: 'unknown' }],
        move: { to: 'processing', by: 'service' },
        answered: true,
        attention: { reason: 'mismatch' },
        timelineNote: { type: 'outcome_unknown', detail: { operation: 'otp', reason: 'mismatch' } },
      });
    },
  );
});

describe('a completion', () => {
  test('whole and in part', () => {
    expect(completion(answered('succeeded', ownMoney))).toMatchObject({
      move: { to: 'succeeded', captured: 150_000n },
      operations: [{ id: 'op_complete', status: 'confirmed' }],
    });
    const part = completion(answered('succeeded', { amount: 100_000n, currency: 'NGN' }), 100_000n);
    expect(part.move).toMatchObject({ to: 'succeeded', captured: 100_000n });
    expect(completion(answered('succeeded'), 100_000n).move?.captured).toBe(100_000n);
  });

  test('is compared with its own amount', () => {
    const update = completion(answered('succeeded', ownMoney), 100_000n);
    expect(update).toMatchObject({
      operations: [{ status: 'unknown' }],
      answered: true,
      attention: { reason: 'mismatch' },
      timelineNote: { type: 'outcome_unknown', detail: { operation: 'complete', reason: 'mismatch' } },
    });
    expect(update.move).toBeUndefined();
  });

  test('failed: refused, the hold stays', () => {
    const update = completion(answered('failed'));
    expect(update).toMatchObject({
      operations: [{ status: 'refused' }],
      checkNow: true,
      problem: { code: 'gateway-refused' },
      timelineNote: { type: 'operation_refused', detail: { meaning: 'failed' } },
    });
    expect(update.move).toBeUndefined();
  });

  test.each(['voided', 'expired'] as const)('%s: the hold is over', (meaning) => {
    expect(completion(answered(meaning))).toMatchObject({
      move: { to: meaning },
      operations: [{ status: 'refused' }],
    });
  });

  test('only a hold that ran out has a reason why it failed', () => {
    expect(completion(answered('expired', { code: '54' })).move?.failure).toMatchObject({
      code: 'expired',
      gatewayCode: '54',
    });
    expect(completion(answered('voided')).move).not.toHaveProperty('failure');
  });

  test('authorized: unknown', () => {
    const update = completion(answered('authorized', ownMoney));
    expect(update.operations).toEqual([{ id: 'op_complete', status: 'unknown' }]);
    expect(update.move).toBeUndefined();
  });

  test.each<GatewayMeaning>(['processing', 'otp', 'redirect'])('%s: accepted as pending', (meaning) => {
    const update = completion(answered(meaning, ownMoney));
    expect(update.operations).toEqual([{ id: 'op_complete', status: 'unknown', accepted: true }]);
    expect(update.move).toBeUndefined();
  });
});

describe('a void', () => {
  test.each(['authorized', 'succeeded'] as const)('of a payment that is %s', (status) => {
    expect(voiding(answered('voided'), paymentIn(status))).toMatchObject({
      move: { to: 'voided', by: 'gateway' },
      operations: [{ id: 'op_void', status: 'confirmed' }],
    });
  });

  test.each<[GatewayMeaning, boolean]>([
    ['succeeded', false],
    ['authorized', false],
    ['processing', true],
    ['otp', true],
    ['redirect', true],
  ])('only “voided” confirms it: %s is unknown, accepted as pending: %s', (meaning, accepted) => {
    const update = voiding(answered(meaning, ownMoney));
    expect(update.operations).toEqual([{ id: 'op_void', status: 'unknown', ...(accepted && { accepted }) }]);
    expect(update.move).toBeUndefined();
  });

  test('failed: refused', () => {
    expect(voiding(answered('failed'))).toMatchObject({
      operations: [{ status: 'refused' }],
      problem: { code: 'gateway-refused' },
    });
  });

  test('of the policy that is refused: a person looks, unless one has settled it, and it is not sent again at once', () => {
    const duplicate = paymentIn('succeeded', { duplicateOf: 'pay_0' });
    const operation = operationRecord({ type: 'void', status: 'intended', actor: POLICY });
    const judged = (payment = duplicate) =>
      mean(answered('failed'), { payment, reference: referenceOf(payment), operation, mode: 'live' });
    expect(judged()).toMatchObject({
      operations: [{ status: 'refused' }],
      attention: { reason: 'duplicate_not_voided', answer: 'pay_0' },
      checkNow: false,
    });
    expect(judged()).not.toHaveProperty('voidDoubtful');
    expect(judged({ ...duplicate, settledAnswer: 'pay_0' })).not.toHaveProperty('attention');
  });

  test('expired: a hold is over, what was paid is disputed', () => {
    expect(voiding(answered('expired'), paymentIn('authorized')).move?.to).toBe('expired');
    expect(voiding(answered('expired')).attention?.reason).toBe('contradicting_answer');
  });
});
