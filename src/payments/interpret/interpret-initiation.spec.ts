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
import { judgeInitiation } from './interpret-initiation.js';
import type { Verdict } from '../state/payment-update.js';

const operation = operationRecord({ status: 'intended' });

function judge(result: GatewayResult, payment: PaymentRecord = paymentRecord()): Verdict {
  return judgeInitiation(result, { payment, reference: referenceOf(payment), operation, mode: 'live' });
}

const becomes = (status: 'confirmed' | 'refused' | 'unknown') => [{ id: operation.id, status }];
const redirectUrl = 'https://bank.example/';

describe('without an answer', () => {
  test.each<NotSentReason>(['refused', 'dns', 'tls', 'connect-timeout', 'abandoned', 'encryption'])(
    'not sent (%s): failed, and may be tried again',
    (reason) => {
      expect(judge({ kind: 'not-sent', reason })).toMatchObject({
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
    const verdict = judge({ kind: 'rejected', status, message: 'No such field', code: 'E1' });
    expect(verdict).toMatchObject({
      move: {
        to: 'failed',
        failure: { code: 'gateway_rejected', message: 'No such field', gatewayCode: 'E1', retryable: false },
      },
      operations: becomes('refused'),
    });
    expect(verdict.problem).toBeUndefined();
  });

  test.each([401, 403] as const)('%i: failed, and the caller is told whose fault it is', (status) => {
    expect(judge({ kind: 'credentials-rejected', status })).toMatchObject({
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
    expect(judge({ kind: 'busy', retryAfterSeconds })).toMatchObject({
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
    const verdict = judge({ kind: 'unknown', reason });
    expect(verdict).toEqual({
      operations: becomes('unknown'),
      finding: { type: 'outcome_unknown', detail: { reason } },
    });
  });
});

describe('an answer to a card payment', () => {
  test('succeeded', () => {
    expect(judge(answered('succeeded', { ...ownMoney, transactionRef: 'T1' }))).toMatchObject({
      move: { to: 'succeeded', by: 'gateway', captured: 150_000n },
      operations: becomes('confirmed'),
      transactionRef: 'T1',
      answered: true,
      conclusive: true,
    });
  });

  test('succeeded without an amount, which the profile believes', () => {
    expect(judge(answered('succeeded')).move?.to).toBe('succeeded');
  });

  test('authorized', () => {
    expect(judge(answered('authorized', ownMoney))).toMatchObject({
      move: { to: 'authorized', authorized: 150_000n },
      operations: becomes('confirmed'),
    });
  });

  test('money that is held is not yet taken, and money that is taken no longer held', () => {
    expect(judge(answered('authorized', ownMoney)).move).toStrictEqual({
      to: 'authorized',
      by: 'gateway',
      authorized: 150_000n,
    });
    expect(judge(answered('succeeded', ownMoney)).move).toStrictEqual({
      to: 'succeeded',
      by: 'gateway',
      captured: 150_000n,
    });
    expect(judge(answered('voided', ownMoney)).move).toStrictEqual({ to: 'voided', by: 'gateway' });
  });

  test('the gateway’s own end of the payment is taken over, where it names one', () => {
    const end = '2026-11-21T12:20:00Z';
    expect(judge(answered('otp', { expiresAt: end })).gatewayExpiresAt).toBe(Date.parse(end));
    expect(judge(answered('otp', { expiresAt: 'soon' }))).not.toHaveProperty('gatewayExpiresAt');
    expect(judge(answered('otp'))).not.toHaveProperty('gatewayExpiresAt');
    expect(judge(answered('otp'))).not.toHaveProperty('transactionRef');
  });

  test.each<GatewayMeaning>(['failed', 'refused'])('%s: declined', (meaning) => {
    expect(judge(answered(meaning, { message: 'No money', code: '51' }))).toMatchObject({
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

  test('a decline needs no right amount', () => {
    expect(judge(answered('failed', { amount: 1n, currency: 'USD' })).move?.to).toBe('failed');
  });

  test('expired and voided', () => {
    expect(judge(answered('expired'))).toMatchObject({
      move: { to: 'expired', failure: { code: 'expired' } },
      operations: becomes('refused'),
    });
    expect(judge(answered('voided'))).toMatchObject({
      move: { to: 'voided' },
      operations: becomes('confirmed'),
    });
  });

  test('processing: waits, and says so', () => {
    const verdict = judge(answered('processing'));
    expect(verdict).toMatchObject({ operations: becomes('confirmed'), waiting: true, answered: true });
    // What was open is settled: nobody need be alarmed, and the timeline tells what the gateway does.
    expect(verdict).toMatchObject({ conclusive: true, finding: { type: 'gateway_waiting' } });
    expect(verdict.move).toBeUndefined();
    expect(verdict.nextAction).toBeUndefined();
  });

  test('processing with an address: the payer is sent there', () => {
    expect(judge(answered('processing', { redirectUrl })).nextAction).toMatchObject({ url: redirectUrl });
  });

  test('a one-time code, with and without words', () => {
    expect(judge(answered('otp', { otpMessage: 'Sent to your phone' }))).toMatchObject({
      nextAction: { type: 'otp', message: 'Sent to your phone' },
      operations: becomes('confirmed'),
      answered: true,
      waiting: true,
      conclusive: true,
    });
    expect(judge(answered('otp')).nextAction).toStrictEqual({ type: 'otp' });
    expect(judge(answered('otp', { otpMessage: '' })).nextAction).toStrictEqual({ type: 'otp' });
  });

  test('a redirect', () => {
    expect(judge(answered('redirect', { redirectUrl }))).toMatchObject({
      nextAction: { type: 'redirect', url: redirectUrl },
      operations: becomes('confirmed'),
    });
  });

  test.each([undefined, 'http://bank.example/', 'javascript:alert(1)'])(
    'a redirect to %s: unknown',
    (url) => {
      const verdict = judge(answered('redirect', { redirectUrl: url }));
      expect(verdict).toEqual({
        operations: becomes('unknown'),
        finding: { type: 'outcome_unknown', detail: { reason: 'redirect_address_withheld' } },
      });
    },
  );

  test('not known: unknown, and no answer about it', () => {
    const verdict = judge(answered('unknownTransaction'));
    expect(verdict.operations).toEqual(becomes('unknown'));
    expect(verdict.finding).toEqual({ type: 'outcome_unknown', detail: { reason: 'unknownTransaction' } });
    expect(verdict.answered).toBeUndefined();
  });

  test('not decided: unknown, but an answer', () => {
    expect(judge(answered('undecided', { transactionRef: 'T1' }))).toMatchObject({
      operations: becomes('unknown'),
      answered: true,
      transactionRef: 'T1',
      finding: { type: 'outcome_unknown', detail: { reason: 'undecided' } },
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
      const verdict = judge(answered(meaning, { ...over, redirectUrl, transactionRef: 'T1' }));
      expect(verdict).toMatchObject({
        operations: becomes('unknown'),
        answered: true,
        attention: { reason: 'mismatch' },
      });
      expect([verdict.move, verdict.nextAction, verdict.transactionRef]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  test('the timeline says what differs', () => {
    const differs = (over: Partial<GatewayAnswer>) => judge(answered('otp', over)).finding;
    const found = (mismatch: string) => ({ type: 'outcome_unknown', detail: { mismatch } });
    expect(differs({ ...ownMoney, reference: 'OTHER_1' })).toEqual(found('reference'));
    expect(differs({ amount: 1n, currency: 'USD', reference: 'OTHER_1' })).toEqual(
      found('amount currency reference'),
    );
  });

  test('a success without the amount that the profile demands', () => {
    const verdict = judge(answered('succeeded', { amountRequired: true, currency: 'NGN' }));
    expect(verdict.attention?.reason).toBe('mismatch');
    expect(verdict.finding?.detail).toEqual({ mismatch: 'amount' });
    expect(verdict.move).toBeUndefined();
  });

  test('an action needs no amount', () => {
    expect(judge(answered('otp', { amountRequired: true })).nextAction).toEqual({ type: 'otp' });
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
    const verdict = judge(answered(meaning, { ...ownMoney, ...over }), paymentRecord({ method }));
    expect(verdict.nextAction?.type).toBe(type);
    expect(verdict.move).toBeUndefined();
  });

  test.each(
    filled.flatMap(([method]) =>
      (['succeeded', 'authorized', 'otp'] as const).map((meaning) => [method, meaning] as const),
    ),
  )('%s answered %s without one: unknown', (method, meaning) => {
    const verdict = judge(answered(meaning, ownMoney), paymentRecord({ method }));
    expect(verdict.operations).toEqual(becomes('unknown'));
    expect(verdict.finding?.detail).toEqual({ reason: 'no_next_action' });
    expect(verdict.move).toBeUndefined();
  });

  test.each(filled)('%s answered with a redirect sends the payer there', (method) => {
    const verdict = judge(answered('redirect', { ...ownMoney, redirectUrl }), paymentRecord({ method }));
    expect(verdict.nextAction).toEqual({ type: 'redirect', url: redirectUrl, method: 'GET' });
  });

  test.each(filled)('%s answered processing without its action waits', (method) => {
    const verdict = judge(answered('processing', ownMoney), paymentRecord({ method }));
    expect(verdict).toMatchObject({ operations: becomes('confirmed'), waiting: true });
    expect(verdict.nextAction).toBeUndefined();
  });

  test.each(filled)('%s may be declined', (method) => {
    expect(judge(answered('refused'), paymentRecord({ method })).move?.to).toBe('failed');
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
      const { move, conclusive, operations } = judge(result, payment);
      expect([move, conclusive]).toEqual([undefined, undefined]);
      expect(operations).toEqual(becomes('refused'));
    }
    expect(judge(answered('otp'), payment).nextAction).toBeUndefined();
    expect(judge(answered('redirect', { redirectUrl }), payment).nextAction).toBeUndefined();
  });

  test('money still counts', () => {
    expect(judge(answered('succeeded', ownMoney), paymentIn('failed')).move?.to).toBe('succeeded');
    expect(judge(answered('succeeded', ownMoney), paymentIn('voided')).attention?.reason).toBe(
      'contradicting_answer',
    );
  });
});
