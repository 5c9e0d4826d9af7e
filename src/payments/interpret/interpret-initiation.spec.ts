import { describe, expect, test } from '@jest/globals';
import type {
  GatewayAnswer,
  GatewayMeaning,
  GatewayResult,
  NotSentReason,
  UnknownReason,
} from '../../gateway/gateway-result.js';
import type { PaymentMethod, PaymentRecord } from '../../store/schema.js';
import {
  answered,
  operationRecord,
  ownMoney,
  paymentIn,
  paymentRecord,
  referenceOf,
} from '../../../test/harness/records.js';
import { mean } from './meaning.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const operation = operationRecord({ status: 'intended' });

function interpret(result: GatewayResult, payment: PaymentRecord = paymentRecord()): PaymentUpdate {
  return mean(result, { payment, reference: referenceOf(payment), operation, mode: 'live' });
}

const becomes = (status: 'confirmed' | 'refused' | 'unknown') => [{ id: operation.id, status }];
const redirectUrl = 'https://bank.example/';

describe('without an answer', () => {
  test.each<NotSentReason>(['refused', 'dns', 'tls', 'connect-timeout', 'abandoned', 'encryption'])(
    'not sent (%s): failed, and may be tried again',
    (reason) => {
      expect(interpret({ kind: 'not-sent', reason })).toMatchObject({
        move: { to: 'failed', by: 'service', failure: { code: 'gateway_unavailable', retryable: true } },
        operations: becomes('refused'),
        problem: {
          code: 'gateway-unavailable',
          detail: 'The gateway could not be reached; nothing was sent.',
        },
        conclusive: true,
      });
    },
  );

  test.each([400, 404, 422] as const)('%i: failed, in its words', (status) => {
    const update = interpret({ kind: 'rejected', status, message: 'No such field', code: 'E1' });
    expect(update).toMatchObject({
      move: {
        to: 'failed',
        failure: { code: 'gateway_rejected', message: 'No such field', gatewayCode: 'E1', retryable: false },
      },
      operations: becomes('refused'),
    });
    expect(update.problem).toBeUndefined();
  });

  test.each([401, 403] as const)('%i: failed, and the caller is told whose fault it is', (status) => {
    expect(interpret({ kind: 'credentials-rejected', status })).toMatchObject({
      move: { to: 'failed', failure: { code: 'gateway_credentials_rejected', retryable: false } },
      operations: becomes('refused'),
      problem: {
        code: 'gateway-credentials-rejected',
        detail: 'The gateway rejected the merchant’s credentials; the payment was not made.',
      },
    });
  });

  test.each([
    [undefined, 5],
    [17, 17],
  ])('429 with Retry-After %s: failed, retryable', (retryAfterSeconds, told) => {
    expect(interpret({ kind: 'busy', retryAfterSeconds })).toMatchObject({
      move: { to: 'failed', failure: { code: 'gateway_busy', retryable: true } },
      operations: becomes('refused'),
      problem: {
        code: 'gateway-busy',
        detail: 'The gateway is busy; the payment was not made. Try again later.',
        retryAfterSeconds: told,
      },
    });
  });

  test.each<UnknownReason>([
    'timeout',
    'reset',
    'http-status',
    'redirected',
    'not-json',
    'too-large',
    'cut',
    'unrecognised',
    'contradiction',
    'requirement',
    'other',
  ])('unknown (%s): neither paid nor failed', (reason) => {
    const update = interpret({ kind: 'unknown', reason });
    expect(update).toEqual({
      operations: becomes('unknown'),
      timelineNote: { type: 'outcome_unknown', detail: { reason } },
    });
  });
});

describe('an answer to a card payment', () => {
  test('succeeded', () => {
    expect(interpret(answered('succeeded', { ...ownMoney, transactionRef: 'T1' }))).toMatchObject({
      move: { to: 'succeeded', by: 'gateway', captured: 150_000n },
      operations: becomes('confirmed'),
      transactionRef: 'T1',
      answered: true,
      conclusive: true,
    });
  });

  test('succeeded without an amount, which the profile believes', () => {
    expect(interpret(answered('succeeded')).move?.to).toBe('succeeded');
  });

  test('authorized', () => {
    expect(interpret(answered('authorized', ownMoney))).toMatchObject({
      move: { to: 'authorized', authorized: 150_000n },
      operations: becomes('confirmed'),
    });
  });

  test('money that is held is not yet taken, and money that is taken no longer held', () => {
    expect(interpret(answered('authorized', ownMoney)).move).toStrictEqual({
      to: 'authorized',
      by: 'gateway',
      authorized: 150_000n,
    });
    expect(interpret(answered('succeeded', ownMoney)).move).toStrictEqual({
      to: 'succeeded',
      by: 'gateway',
      captured: 150_000n,
    });
    expect(interpret(answered('voided', ownMoney)).move).toStrictEqual({ to: 'voided', by: 'gateway' });
  });

  test('the gateway’s own end of the payment is taken over, where it names one', () => {
    const end = '2026-11-21T12:20:00Z';
    expect(interpret(answered('otp', { expiresAt: end })).gatewayExpiresAt).toBe(Date.parse(end));
    expect(interpret(answered('otp', { expiresAt: 'soon' }))).not.toHaveProperty('gatewayExpiresAt');
    expect(interpret(answered('otp'))).not.toHaveProperty('gatewayExpiresAt');
    expect(interpret(answered('otp'))).not.toHaveProperty('transactionRef');
  });

  test.each<GatewayMeaning>(['failed', 'refused'])('%s: declined', (meaning) => {
    expect(interpret(answered(meaning, { message: 'No money', code: '51' }))).toMatchObject({
      move: {
        to: 'failed',
        by: 'gateway',
        failure: { code: 'declined', message: 'No money', gatewayCode: '51' },
      },
      operations: becomes('refused'),
      answered: true,
      conclusive: true,
    });
  });

  test('a decline need not name an amount', () => {
    expect(interpret(answered('failed', { amountRequired: true })).move?.to).toBe('failed');
  });

  test.each(['refunded', 'partiallyRefunded', 'chargedBack'] as const)('%s is unknown here', (meaning) => {
    const update = interpret(answered(meaning, ownMoney));
    expect(update).toMatchObject({
      answered: true,
      operations: [{ status: 'unknown' }],
      timelineNote: { type: 'outcome_unknown', detail: { reason: meaning } },
    });
    expect([update.move, update.attention]).toEqual([undefined, undefined]);
  });

  test('expired and voided', () => {
    expect(interpret(answered('expired'))).toMatchObject({
      move: { to: 'expired', failure: { code: 'expired' } },
      operations: becomes('refused'),
    });
    expect(interpret(answered('voided'))).toMatchObject({
      move: { to: 'voided' },
      operations: becomes('confirmed'),
    });
  });

  test('processing: waits, and says so', () => {
    const update = interpret(answered('processing'));
    expect(update).toMatchObject({ operations: becomes('confirmed'), waiting: true, answered: true });
    // What was open is settled: nobody need be alarmed, and the timeline tells what the gateway does.
    expect(update).toMatchObject({ conclusive: true, timelineNote: { type: 'gateway_waiting' } });
    expect(update.move).toBeUndefined();
    expect(update.nextAction).toBeUndefined();
  });

  test('processing with an address: the payer is sent there', () => {
    expect(interpret(answered('processing', { redirectUrl })).nextAction).toMatchObject({ url: redirectUrl });
  });

  test('a one-time code, with and without words', () => {
    expect(interpret(answered('otp', { otpMessage: 'Sent to your phone' }))).toMatchObject({
      nextAction: { type: 'otp', message: 'Sent to your phone' },
      operations: becomes('confirmed'),
      answered: true,
      waiting: true,
      conclusive: true,
    });
    expect(interpret(answered('otp')).nextAction).toStrictEqual({ type: 'otp' });
    expect(interpret(answered('otp', { otpMessage: '' })).nextAction).toStrictEqual({ type: 'otp' });
  });

  test('a redirect', () => {
    expect(interpret(answered('redirect', { redirectUrl }))).toMatchObject({
      nextAction: { type: 'redirect', url: redirectUrl },
      operations: becomes('confirmed'),
    });
  });

  test.each([undefined, 'http://bank.example/', 'javascript:alert(1)'])(
    'a redirect to %s: unknown',
    (url) => {
      const update = interpret(answered('redirect', { redirectUrl: url }));
      expect(update).toEqual({
        operations: becomes('unknown'),
        timelineNote: { type: 'outcome_unknown', detail: { reason: 'redirect_address_withheld' } },
      });
    },
  );

  test('not known: unknown, and no answer about it', () => {
    const update = interpret(answered('unknownTransaction'));
    expect(update.operations).toEqual(becomes('unknown'));
    expect(update.timelineNote).toEqual({
      type: 'outcome_unknown',
      detail: { reason: 'unknownTransaction' },
    });
    expect(update.answered).toBeUndefined();
  });

  test('not decided: unknown, but an answer', () => {
    expect(interpret(answered('undecided', { transactionRef: 'T1' }))).toMatchObject({
      operations: becomes('unknown'),
      answered: true,
      transactionRef: 'T1',
      timelineNote: { type: 'outcome_unknown', detail: { reason: 'undecided' } },
    });
  });
});

describe('about other money than the payment’s', () => {
  const cases: [string, Partial<GatewayAnswer>][] = [
    ['amount', { ...ownMoney, amount: 150_001n }],
    ['currency', { ...ownMoney, currency: 'USD' }],
    ['reference', { ...ownMoney, reference: 'ORDER-2_1' }],
    ['unreadable amount', { ...ownMoney, amount: 'unreadable' }],
  ];
  const meanings: GatewayMeaning[] = ['succeeded', 'authorized', 'processing', 'otp', 'redirect'];

  test.each(cases.flatMap(([name, over]) => meanings.map((meaning) => [meaning, name, over] as const)))(
    '%s with another %s: unknown, hands out nothing, wants attention',
    (meaning, _name, over) => {
      const update = interpret(answered(meaning, { ...over, redirectUrl, transactionRef: 'T1' }));
      expect(update).toMatchObject({
        operations: becomes('unknown'),
        answered: true,
        attention: { reason: 'mismatch' },
      });
      expect([update.move, update.nextAction, update.transactionRef]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test('the timeline says what differs', () => {
    const differs = (over: Partial<GatewayAnswer>) => interpret(answered('otp', over)).timelineNote;
    const found = (mismatch: string) => ({ type: 'outcome_unknown', detail: { mismatch } });
    expect(differs({ ...ownMoney, reference: 'OTHER_1' })).toEqual(found('reference'));
    expect(differs({ amount: 1n, currency: 'USD', reference: 'OTHER_1' })).toEqual(
      found('amount currency reference'),
    );
  });

  test('a success without the amount that the profile demands', () => {
    const update = interpret(answered('succeeded', { amountRequired: true, currency: 'NGN' }));
    expect(update.attention?.reason).toBe('mismatch');
    expect(update.timelineNote?.detail).toEqual({ mismatch: 'amount' });
    expect(update.move).toBeUndefined();
  });

  test('an action needs no amount', () => {
    expect(interpret(answered('otp', { amountRequired: true })).nextAction).toEqual({ type: 'otp' });
  });
});

describe('starting a wallet, transfer or USSD payment never pays it', () => {
  const filled: [PaymentMethod, Partial<GatewayAnswer>, string][] = [
    ['wallet', { redirectUrl }, 'redirect'],
    ['transfer', { accountNumber: '0123456789', bankName: 'Bank' }, 'transfer'],
    ['ussd', { ussdCode: '*1#' }, 'ussd'],
  ];
  const meanings: GatewayMeaning[] = ['succeeded', 'authorized', 'processing', 'otp'];

  test.each(
    filled.flatMap(([method, over, type]) =>
      meanings.map((meaning) => [method, meaning, over, type] as const),
    ),
  )('%s answered %s with its action', (method, meaning, over, type) => {
    const update = interpret(answered(meaning, { ...ownMoney, ...over }), paymentRecord({ method }));
    expect(update.nextAction?.type).toBe(type);
    expect(update.move).toBeUndefined();
  });

  test.each(
    filled.flatMap(([method]) =>
      (['succeeded', 'authorized', 'otp'] as const).map((meaning) => [method, meaning] as const),
    ),
  )('%s answered %s without one: unknown', (method, meaning) => {
    const update = interpret(answered(meaning, ownMoney), paymentRecord({ method }));
    expect(update.operations).toEqual(becomes('unknown'));
    expect(update.timelineNote?.detail).toEqual({ reason: 'no_next_action' });
    expect(update.move).toBeUndefined();
  });

  test.each(filled)('%s answered with a redirect sends the payer there', (method) => {
    const update = interpret(answered('redirect', { ...ownMoney, redirectUrl }), paymentRecord({ method }));
    expect(update.nextAction).toEqual({ type: 'redirect', url: redirectUrl, method: 'GET' });
  });

  test.each(filled)('%s answered processing without its action waits', (method) => {
    const update = interpret(answered('processing', ownMoney), paymentRecord({ method }));
    expect(update).toMatchObject({ operations: becomes('confirmed'), waiting: true });
    expect(update.nextAction).toBeUndefined();
  });

  test.each(filled)('%s may be declined', (method) => {
    expect(interpret(answered('refused'), paymentRecord({ method })).move?.to).toBe('failed');
  });
});

describe('an answer that comes after the lease was lost and the payment went on', () => {
  test.each([
    'succeeded',
    'failed',
    'canceled',
    'expired',
    'voided',
    'requires_action',
    'authorized',
  ] as const)('to %s: nothing of ours is concluded, nothing goes back', (status) => {
    const payment = paymentIn(status);
    for (const result of [
      { kind: 'not-sent', reason: 'abandoned' },
      { kind: 'rejected', status: 400 },
      { kind: 'busy' },
      { kind: 'credentials-rejected', status: 401 },
    ] as const) {
      const { move, conclusive, operations } = interpret(result, payment);
      expect([move, conclusive]).toEqual([undefined, undefined]);
      expect(operations).toEqual(becomes('refused'));
    }
    expect(interpret(answered('otp'), payment).nextAction).toBeUndefined();
    expect(interpret(answered('redirect', { redirectUrl }), payment).nextAction).toBeUndefined();
  });

  test('money still counts', () => {
    expect(interpret(answered('succeeded', ownMoney), paymentIn('failed')).move?.to).toBe('succeeded');
    expect(interpret(answered('succeeded', ownMoney), paymentIn('voided')).attention?.reason).toBe(
      'contradicting_answer',
    );
  });
});
