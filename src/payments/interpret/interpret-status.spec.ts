import { describe, expect, test } from '@jest/globals';
import type { GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import {
  answered,
  gatewayAnswer,
  HOUR,
  madeAt,
  MINUTE,
  operationRecord,
  ownMoney,
  paymentIn,
  paymentRecord,
  referenceOf,
  SECOND,
  sessionRecord,
  statuses,
} from '../../../test/harness/records.js';
import { answerKey } from './answer.js';
import { interpretStatus } from './interpret-status.js';
import { readStatus, type Reading, type StatusInquiry } from './status-answer.js';
import type { PaymentUpdate } from '../state/payment-update.js';

const graceMs = 900 * SECOND;

function inquiry(payment: PaymentRecord, over: Partial<StatusInquiry> = {}): StatusInquiry {
  const now = over.now ?? madeAt + MINUTE;
  return {
    // All of its time was seen to pass.
    payment: { ...payment, seenMs: now - payment.createdAt },
    reference: referenceOf(payment),
    session: sessionRecord(),
    openOperations: [],
    mode: 'live',
    now,
    graceMs,
    asksRefunds: false,
    ...over,
  };
}

function interpret(
  result: GatewayResult,
  payment: PaymentRecord,
  over?: Partial<StatusInquiry>,
): PaymentUpdate {
  return interpretStatus(result, inquiry(payment, over));
}

const notAnswers: GatewayResult[] = [
  { kind: 'not-sent', reason: 'dns' },
  { kind: 'rejected', status: 400 },
  { kind: 'rejected', status: 404 },
  { kind: 'credentials-rejected', status: 401 },
  { kind: 'busy' },
  { kind: 'unknown', reason: 'timeout' },
];

describe('how an answer reads', () => {
  test.each<[GatewayMeaning, Reading]>([
    ['succeeded', 'paid'],
    ['authorized', 'held'],
    ['failed', 'not-paid'],
    ['expired', 'not-paid'],
    ['voided', 'not-paid'],
    ['refunded', 'inconclusive'],
    ['partiallyRefunded', 'inconclusive'],
    ['chargedBack', 'inconclusive'],
    ['processing', 'waiting'],
    ['otp', 'waiting'],
    ['redirect', 'waiting'],
    ['refused', 'inconclusive'],
    ['undecided', 'inconclusive'],
    ['unknownTransaction', 'inconclusive'],
  ])('%s: %s', (meaning, reading) => {
    expect(readStatus(answered(meaning), inquiry(paymentIn('processing')))).toBe(reading);
  });

  test.each(notAnswers)('$kind: inconclusive', (result) => {
    expect(readStatus(result, inquiry(paymentIn('processing')))).toBe('inconclusive');
  });
});

describe('what is inconclusive moves nothing', () => {
  const inconclusive = [...notAnswers, answered('refused', ownMoney), answered('undecided', ownMoney)];
  test.each(statuses)('a payment that is %s', (status) => {
    for (const result of inconclusive) {
      const open = [operationRecord(), operationRecord({ type: 'void' })];
      const update = interpret(result, paymentIn(status, { needsAttention: true }), { openOperations: open });
      expect(Object.keys(update)).toEqual(['timelineNote']);
      expect(update.timelineNote?.type).toBe('inconclusive');
    }
  });

  test.each<[GatewayResult, string]>([
    [{ kind: 'not-sent', reason: 'dns' }, 'not-sent'],
    [{ kind: 'rejected', status: 404 }, 'rejected'],
    [{ kind: 'busy' }, 'busy'],
    [{ kind: 'unknown', reason: 'timeout' }, 'timeout'],
    [answered('undecided'), 'undecided'],
  ])('%j is told as its reason: %s', (result, reason) => {
    expect(interpret(result, paymentIn('processing')).timelineNote?.detail).toEqual({ reason });
  });
});

describe('paid', () => {
  test.each<PaymentStatus>(['processing', 'requires_action', 'authorized', 'failed', 'canceled', 'expired'])(
    'a payment that is %s succeeds',
    (status) => {
      const pay = operationRecord();
      const update = interpret(
        answered('succeeded', { ...ownMoney, transactionRef: 'T1' }),
        paymentIn(status),
        {
          openOperations: [pay],
        },
      );
      expect(update).toMatchObject({
        move: { to: 'succeeded', by: 'gateway', captured: 150_000n },
        operations: [{ id: pay.id, status: 'confirmed' }],
        transactionRef: 'T1',
        answered: true,
        conclusive: true,
      });
    },
  );

  test.each([
    ['amount', { ...ownMoney, amount: 1n }],
    ['currency', { ...ownMoney, currency: 'USD' }],
    ['reference', { ...ownMoney, reference: 'OTHER_1' }],
    ['missing amount', { amountRequired: true }],
  ])('with another %s nothing moves, and a person must look', (_name, money) => {
    for (const status of ['processing', 'requires_action', 'failed', 'canceled', 'expired'] as const) {
      const update = interpret(answered('succeeded', money), paymentIn(status), {
        openOperations: [operationRecord()],
      });
      expect(update.attention?.reason).toBe('mismatch');
      expect(update.answered).toBe(true);
      expect([update.move, update.operations, update.conclusive]).toEqual([undefined, undefined, undefined]);
    }
  });

  test('the timeline says what differs', () => {
    const result = answered('succeeded', { amount: 1n, currency: 'USD', reference: 'OTHER_1' });
    expect(interpret(result, paymentIn('processing')).timelineNote).toEqual({
      type: 'mismatch',
      detail: { differs: 'amount currency reference', meaning: 'succeeded', amount: '0.01', currency: 'USD' },
    });
  });

  test('without a name of the gateway’s own none is written', () => {
    expect(interpret(answered('succeeded', ownMoney), paymentIn('processing'))).not.toHaveProperty(
      'transactionRef',
    );
  });

  test('about another reference its names are not taken over', () => {
    const result = answered('succeeded', { ...ownMoney, reference: 'OTHER_1', transactionRef: 'T9' });
    expect(interpret(result, paymentIn('processing')).transactionRef).toBeUndefined();
  });

  test('a completion’s success is compared with its own amount', () => {
    const completion = operationRecord({ type: 'complete', amount: 100_000n });
    const over = { openOperations: [completion] };
    const right = interpret(
      answered('succeeded', { amount: 100_000n, currency: 'NGN' }),
      paymentIn('authorized'),
      over,
    );
    expect(right).toMatchObject({
      move: { to: 'succeeded', captured: 100_000n },
      operations: [{ id: completion.id, status: 'confirmed' }],
    });
    const whole = interpret(answered('succeeded', ownMoney), paymentIn('authorized'), over);
    expect(whole).toMatchObject({ attention: { reason: 'mismatch' } });
    const silent = interpret(answered('succeeded'), paymentIn('authorized'), over);
    expect(silent.move?.captured).toBe(100_000n);
  });

  test('what was captured in part is not disputed afterwards', () => {
    const part = paymentIn('succeeded', {
      amountAuthorized: 150_000n,
      amountCaptured: 100_000n,
      ...{ needsAttention: true, attentionReason: 'mismatch x' },
    });
    const money = { amount: 100_000n, currency: 'NGN' };
    expect(interpret(answered('succeeded', money), part)).toMatchObject({
      conclusive: true,
      lifts: ['mismatch'],
    });
    expect(interpret(answered('succeeded', { ...money, amount: 90_000n }), part).attention).toBeDefined();
  });

  test('after a void it is disputed', () => {
    const update = interpret(answered('succeeded', ownMoney), paymentIn('voided'));
    expect(update).toMatchObject({ attention: { reason: 'contradicting_answer' } });
    expect(update.move).toBeUndefined();
    expect(update.lifts).toBeUndefined();
  });

  test('what a person has settled is not disputed again', () => {
    const answer = gatewayAnswer('succeeded', { ...ownMoney, amount: 1n });
    const settled = paymentIn('failed', { settledAnswer: answerKey(answer) });
    expect(interpret({ kind: 'answered', answer }, settled).attention).toBeUndefined();
  });
});

describe('held', () => {
  test.each<PaymentStatus>(['processing', 'requires_action', 'failed', 'canceled', 'expired'])(
    'a payment that is %s is authorized',
    (status) => {
      const update = interpret(answered('authorized', ownMoney), paymentIn(status), {
        openOperations: [operationRecord(), operationRecord({ type: 'otp' })],
      });
      expect(update).toMatchObject({
        move: { to: 'authorized', authorized: 150_000n },
        answered: true,
        conclusive: true,
      });
      expect(update.operations?.map(({ status: became }) => became)).toEqual(['confirmed', 'confirmed']);
    },
  );

  test.each<PaymentStatus>(['succeeded', 'voided'])('is stale for one that is %s', (status) => {
    const open = operationRecord({ type: 'void', formerCount: 7, createdAt: madeAt - graceMs });
    const result = answered('authorized', { ...ownMoney, transactionRef: 'T1' });
    expect(interpret(result, paymentIn(status), { openOperations: [open] })).toEqual({});
  });

  test('with another amount nothing moves', () => {
    const update = interpret(answered('authorized', { ...ownMoney, amount: 1n }), paymentIn('processing'));
    expect(update).toMatchObject({
      attention: { reason: 'mismatch' },
      answered: true,
      timelineNote: { type: 'mismatch' },
    });
    expect(update.move).toBeUndefined();
  });

  test('a hold that is known may be named by what was held or by what is being completed', () => {
    const complete = operationRecord({ type: 'complete', amount: 40_000n });
    const payment = paymentIn('authorized', { amountAuthorized: 120_000n });
    for (const amount of [150_000n, 120_000n, 40_000n]) {
      const update = interpret(answered('authorized', { amount }), payment, { openOperations: [complete] });
      expect(update.answered).toBe(true);
      expect([update.move, update.attention]).toEqual([undefined, undefined]);
    }
  });

  test('late beside another payment: nothing moves', () => {
    const payment = paymentIn('canceled');
    const update = interpret(answered('authorized', ownMoney), payment, {
      reference: referenceOf(payment, { livePaymentIds: ['pay_2'] }),
    });
    expect(update.attention?.reason).toBe('hold_beside_another_payment');
    expect(update.move).toBeUndefined();
  });
});

describe('not paid', () => {
  test.each<PaymentStatus>(['processing', 'requires_action'])(
    'a payment that is %s ends at once',
    (status) => {
      const open = { openOperations: [operationRecord(), operationRecord({ type: 'otp' })] };
      const failed = interpret(answered('failed', { message: 'No', code: '51' }), paymentIn(status), open);
      expect(failed).toMatchObject({
        move: {
          to: 'failed',
          by: 'gateway',
          failure: { code: 'declined', message: 'No', gatewayCode: '51' },
        },
        operations: [{ status: 'refused' }, { status: 'refused' }],
        conclusive: true,
      });
      const expired = interpret(answered('expired'), paymentIn(status), open);
      expect(expired).toMatchObject({ move: { to: 'expired', by: 'gateway', failure: { code: 'expired' } } });
      expect(interpret(answered('voided'), paymentIn(status), open)).toMatchObject({
        move: { to: 'voided' },
        answered: true,
        conclusive: true,
      });
    },
  );

  test('a hold may expire or be voided, not fail', () => {
    expect(interpret(answered('expired'), paymentIn('authorized')).move?.to).toBe('expired');
    expect(interpret(answered('voided'), paymentIn('authorized')).move?.to).toBe('voided');
    const failed = interpret(answered('failed'), paymentIn('authorized'), {
      openOperations: [operationRecord({ type: 'complete' })],
    });
    expect(failed).toMatchObject({ attention: { reason: 'contradicting_answer' }, operations: [] });
    expect(failed.move).toBeUndefined();
  });

  test('voided settles a void as done and a completion as not', () => {
    const open = [operationRecord({ type: 'void' }), operationRecord({ type: 'complete' })];
    expect(interpret(answered('voided'), paymentIn('authorized'), { openOperations: open })).toMatchObject({
      move: { to: 'voided' },
      operations: [
        { id: 'op_void', status: 'confirmed' },
        { id: 'op_complete', status: 'refused' },
      ],
    });
  });

  test.each(['failed', 'expired'] as const)('%s after it was paid is disputed', (meaning) => {
    expect(interpret(answered(meaning), paymentIn('succeeded'))).toMatchObject({
      attention: { reason: 'contradicting_answer' },
    });
  });

  test('late, a void is told; a refusal of what is closed is no news', () => {
    expect(interpret(answered('voided'), paymentIn('canceled')).move?.to).toBe('voided');
    expect(interpret(answered('failed'), paymentIn('canceled')).move).toBeUndefined();
    expect(interpret(answered('failed'), paymentIn('canceled')).attention).toBeUndefined();
  });
});

describe('waiting', () => {
  const meanings = ['processing', 'otp', 'redirect'] as const;
  const redirectUrl = 'https://other.example/';

  test.each([...meanings, 'pin'] as const)(
    '%s leaves a payment that waits for it, and its action',
    (meaning) => {
      const nextAction =
        meaning === 'otp' || meaning === 'pin'
          ? { type: meaning, message: 'as it was' }
          : ({ type: 'redirect', url: 'https://first.example/', method: 'GET' } as const);
      const update = interpret(
        answered(meaning, { redirectUrl, otpMessage: 'x' }),
        paymentIn('requires_action', { nextAction }),
        {
          openOperations: [operationRecord(), operationRecord({ type: 'otp' })],
        },
      );
      expect(update).toMatchObject({ answered: true, waiting: true, conclusive: true });
      // The payment was received; whether the code was, this does not say.
      expect(update.operations).toEqual([{ id: 'op_pay', status: 'confirmed' }]);
      expect([update.move, update.nextAction]).toEqual([undefined, undefined]);
    },
  );

  test.each(meanings)('%s is stale for what is beyond it', (meaning) => {
    const open = { openOperations: [operationRecord({ type: 'void' })] };
    for (const status of ['authorized', 'succeeded', 'voided'] as const)
      expect(interpret(answered(meaning, ownMoney), paymentIn(status), open)).toEqual({});
    for (const status of ['failed', 'canceled', 'expired'] as const) {
      expect(interpret(answered(meaning), paymentIn(status), open)).toEqual({ answered: true });
    }
  });

  test.each<PaymentStatus>(['processing', 'requires_action'])(
    'the gateway’s own end of a payment that is %s is taken over, where it names one',
    (status) => {
      const end = '2026-11-21T12:20:00Z';
      const update = interpret(answered('processing', { expiresAt: end }), paymentIn(status));
      expect(update.gatewayExpiresAt).toBe(Date.parse(end));
      expect(interpret(answered('processing'), paymentIn(status))).not.toHaveProperty('gatewayExpiresAt');
    },
  );

  test('an address beside another word than redirect is not handed out again', () => {
    const update = interpret(answered('processing', { redirectUrl }), paymentIn('processing'));
    expect(update.nextAction).toBeUndefined();
  });

  test('a processing payment learns that it was received', () => {
    const update = interpret(answered('processing'), paymentIn('processing'), {
      openOperations: [operationRecord()],
    });
    expect(update).toMatchObject({ operations: [{ id: 'op_pay', status: 'confirmed' }], answered: true });
    expect([update.move, update.nextAction]).toEqual([undefined, undefined]);
  });

  test('otp restores the action of a card, and refuses the code that was sent', () => {
    const update = interpret(answered('otp', { otpMessage: 'Again' }), paymentIn('processing'), {
      openOperations: [operationRecord(), operationRecord({ type: 'otp' })],
    });
    expect(update).toMatchObject({
      nextAction: { type: 'otp', message: 'Again' },
      operations: [
        { id: 'op_pay', status: 'confirmed' },
        { id: 'op_otp', status: 'refused' },
      ],
    });
    for (const otpMessage of [undefined, ''])
      expect(interpret(answered('otp', { otpMessage }), paymentIn('processing')).nextAction).toStrictEqual({
        type: 'otp',
      });
  });

  test('otp is no action of other methods', () => {
    expect(
      interpret(answered('otp'), paymentIn('processing', { method: 'transfer' })).nextAction,
    ).toBeUndefined();
  });

  test('a redirect of a processing payment is handed out where it is safe', () => {
    const safe = interpret(answered('redirect', { redirectUrl }), paymentIn('processing'), {
      openOperations: [operationRecord({ type: 'otp' })],
    });
    expect(safe).toMatchObject({
      nextAction: { type: 'redirect', url: redirectUrl },
      operations: [{ id: 'op_otp', status: 'confirmed' }],
    });
    const unsafe = interpret(
      answered('redirect', { redirectUrl: 'http://other.example/' }),
      paymentIn('processing'),
    );
    expect(unsafe.nextAction).toBeUndefined();
  });
});

describe('our clock', () => {
  const end = sessionRecord().expiresAt;
  test.each<[string, PaymentStatus, number, number | null, string | undefined, boolean]>([
    ['before the session’s end', 'requires_action', end, null, undefined, false],
    ['after it', 'requires_action', end + 1, null, undefined, true],
    ['before the gateway’s own end', 'requires_action', end + 1, end + MINUTE, undefined, false],
    ['at the gateway’s own end', 'requires_action', end + MINUTE, end + MINUTE, undefined, false],
    ['after both', 'requires_action', end + MINUTE + 1, end + MINUTE, undefined, true],
    [
      'the answer moves the end on',
      'requires_action',
      end + 1,
      null,
      new Date(end + MINUTE).toISOString(),
      false,
    ],
    [
      'the answer moves the end back',
      'requires_action',
      end + 1,
      end + MINUTE,
      new Date(end).toISOString(),
      true,
    ],
    ['no clock ends a hold', 'authorized', end + MINUTE, null, undefined, false],
  ])('%s (%s)', (_name, status, now, gatewayExpiresAt, expiresAt, expires) => {
    const update = interpret(answered('processing', { expiresAt }), paymentIn(status, { gatewayExpiresAt }), {
      now,
    });
    expect(update.move).toEqual(
      expires ? expect.objectContaining({ to: 'expired', by: 'clock' }) : undefined,
    );
    if (expires) expect(update.move?.failure?.code).toBe('expired');
  });

  test('it ends none whose time was not seen to pass, whatever it says', () => {
    const payment = paymentIn('requires_action');
    const after = (seenMs: number) =>
      interpret(answered('processing'), payment, {
        now: end + 24 * HOUR,
        payment: { ...payment, seenMs },
      }).move;
    expect(after(0)).toBeUndefined();
    expect(after((end - madeAt) * 0.98)).toBeUndefined();
    expect(after((end - madeAt) * 0.99)).toMatchObject({ to: 'expired', by: 'clock' });
  });

  test.each<GatewayMeaning>(['undecided', 'refused', 'unknownTransaction'])(
    'nor does it beside %s',
    (meaning) => {
      expect(
        interpret(answered(meaning), paymentIn('requires_action'), { now: end + MINUTE }).move,
      ).toBeUndefined();
    },
  );

  test.each<[string, GatewayMeaning, Partial<PaymentRecord>, boolean]>([
    ['a wallet that was answered', 'processing', { method: 'wallet' }, true],
    ['a card that is being charged', 'processing', {}, false],
    ['a card of which something is asked', 'otp', {}, true],
  ])('after it, still processing: %s', (_name, meaning, over, expires) => {
    const update = interpret(answered(meaning), paymentIn('processing', over), { now: end + 1 });
    expect(update.move?.to).toBe(expires ? 'expired' : undefined);
    expect(update).toMatchObject({ waiting: true, conclusive: expires });
  });

  test('what it ends has no open operation left', () => {
    const update = interpret(answered('redirect'), paymentIn('processing'), {
      now: end + 1,
      openOperations: [operationRecord(), operationRecord({ type: 'otp' })],
    });
    expect(update.operations?.map(({ status }) => status)).toEqual(['refused', 'refused']);
  });
});

describe('“I do not know it”', () => {
  const unheard = (over: Partial<PaymentRecord> = {}) => paymentRecord(over);
  const open = { openOperations: [operationRecord()] };

  test.each([
    ['the first', 0, graceMs * 2, false],
    ['the second', 1, graceMs * 2, false],
    ['the third, too soon', 2, graceMs - 1, false],
    ['the third, after the grace', 2, graceMs, true],
    ['the tenth, too soon', 9, graceMs - 1, false],
  ])('%s', (_name, notKnownCount, age, fails) => {
    const update = interpret(answered('unknownTransaction'), unheard({ notKnownCount }), {
      ...open,
      now: madeAt + age,
    });
    expect(update.notKnown).toBe(true);
    expect(update.move).toEqual(
      fails
        ? expect.objectContaining({
            to: 'failed',
            by: 'service',
            failure: expect.objectContaining({ code: 'gateway_never_received', retryable: true }),
          })
        : undefined,
    );
    if (fails) {
      expect(update.operations).toEqual([{ id: 'op_pay', status: 'refused' }]);
      expect(update.conclusive).toBe(true);
    } else expect(update.timelineNote).toEqual({ type: 'not_known' });
  });

  test('counts for nothing over time that nobody saw pass: a clock was set, or nobody ran', () => {
    const payment = unheard({ notKnownCount: 9 });
    const after = (seenMs: number, seenFromMs = 0) =>
      interpret(answered('unknownTransaction'), payment, {
        openOperations: [operationRecord({ seenFromMs })],
        now: madeAt + 24 * 60 * MINUTE,
        payment: { ...payment, seenMs },
      });
    expect(after(graceMs - 1)).not.toHaveProperty('move');
    expect(after(graceMs + MINUTE - 1, MINUTE)).not.toHaveProperty('move');
    expect(after(graceMs).move).toMatchObject({ to: 'failed' });
  });

  test.each<[string, PaymentRecord, OperationRecord[]]>([
    [
      'that the gateway has answered about',
      paymentRecord({ answered: true, notKnownCount: 9 }),
      [operationRecord()],
    ],
    ['whose call got an answer', paymentRecord({ notKnownCount: 9 }), []],
    [
      'that was canceled before its call got one',
      paymentIn('canceled', { answered: false, notKnownCount: 9 }),
      [operationRecord()],
    ],
    ...statuses
      .filter((status) => status !== 'processing')
      .map((status): [string, PaymentRecord, OperationRecord[]] => [
        `that is ${status}`,
        paymentIn(status, { notKnownCount: 9 }),
        [operationRecord({ type: 'void' })],
      ]),
  ])('about a payment %s it is inconclusive', (_name, payment, openOperations) => {
    const update = interpret(answered('unknownTransaction'), payment, {
      openOperations,
      now: madeAt + graceMs * 2,
    });
    expect(update).toEqual({ timelineNote: { type: 'inconclusive', detail: { reason: 'not_known' } } });
  });
});

describe('answers of the former state, after a completion or void of unknown outcome', () => {
  const cases = [
    ['complete', 'authorized', 'authorized'],
    ['void', 'authorized', 'authorized'],
    ['void', 'succeeded', 'succeeded'],
  ] as const;
  const counts: [number, number, 'unknown' | 'refused'][] = [
    [0, graceMs * 2, 'unknown'],
    [1, graceMs * 2, 'unknown'],
    [2, graceMs - 1, 'unknown'],
    [2, graceMs, 'refused'],
  ];

  test.each(cases.flatMap((one) => counts.map((count) => [...one, ...count] as const)))(
    '%s of a payment that is %s, answered %s after %i others, %i ms later: %4$s',
    (type, status, meaning, formerCount, age, became) => {
      const operation = operationRecord({ type, formerCount });
      const update = interpret(answered(meaning, ownMoney), paymentIn(status), {
        openOperations: [operation],
        now: madeAt + age,
      });
      expect(update.operations).toEqual([{ id: operation.id, status: became, formerCount: formerCount + 1 }]);
      expect(update.move).toBeUndefined();
      expect(update.conclusive).toBe(false);
    },
  );

  test.each(cases)(
    '%s of a payment that is %s: one that was accepted is never refused by them',
    (type, status, meaning) => {
      const operation = operationRecord({ type, formerCount: 99, acceptedAt: madeAt });
      const update = interpret(answered(meaning, ownMoney), paymentIn(status), {
        payment: { ...paymentIn(status), seenMs: 100 * graceMs },
        openOperations: [operation],
      });
      expect(update.operations).toEqual([{ id: operation.id, status: 'unknown', formerCount: 100 }]);
      expect(update.conclusive).toBe(false);
    },
  );

  test('count for nothing over time that nobody saw pass', () => {
    const payment = { ...paymentIn('succeeded'), seenMs: HOUR + graceMs - 1 };
    const settled = (seenFromMs: number) =>
      interpret(answered('succeeded', ownMoney), payment, {
        payment,
        openOperations: [operationRecord({ type: 'void', formerCount: 9, seenFromMs })],
        now: madeAt + 24 * HOUR,
      }).operations;
    expect(settled(HOUR)).toEqual([{ id: 'op_void', status: 'unknown', formerCount: 10 }]);
    expect(settled(HOUR - 1)).toEqual([{ id: 'op_void', status: 'refused', formerCount: 10 }]);
  });

  test('a success confirms a completion, and is not the former state', () => {
    const update = interpret(answered('succeeded', ownMoney), paymentIn('authorized'), {
      openOperations: [operationRecord({ type: 'complete', amount: 150_000n })],
    });
    expect(update.operations).toEqual([{ id: 'op_complete', status: 'confirmed' }]);
  });
});

describe('attention is lifted by the own amount', () => {
  test.each<GatewayMeaning>(['succeeded', 'authorized', 'failed', 'processing'])('beside %s', (meaning) => {
    const payment = paymentIn('requires_action', { needsAttention: true, attentionReason: 'mismatch x' });
    expect(interpret(answered(meaning, ownMoney), payment).lifts).toEqual(['mismatch']);
    expect(interpret(answered(meaning), payment).lifts).toEqual([]);
    expect(
      interpret(answered(meaning, { amount: 150_000n, currency: 'USD' }), payment).lifts,
    ).toBeUndefined();
  });

  test.each<GatewayMeaning>(['refused', 'undecided', 'unknownTransaction'])('not beside %s', (meaning) => {
    const payment = paymentIn('requires_action', { needsAttention: true, attentionReason: 'mismatch x' });
    expect(interpret(answered(meaning, ownMoney), payment).lifts).toBeUndefined();
  });
});
