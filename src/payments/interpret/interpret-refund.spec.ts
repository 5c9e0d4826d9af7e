import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import {
  answered,
  madeAt,
  operationRecord,
  paymentIn,
  referenceOf,
  SECOND,
  sessionRecord,
} from '../../../test/harness/records.js';
import type { OperationRecord, OperationStatus, PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { interpretLateRefund, interpretRefundStatus } from './interpret-refund.js';
import { interpretStatus } from './interpret-status.js';
import { mean } from './meaning.js';

const payment = paymentIn('succeeded', { amountCaptured: 150_000n, refundsMade: 1 });
const operation = operationRecord({
  id: 'ref_1',
  type: 'refund',
  amount: 50_000n,
  refundReference: 'ORDER-1_1_r1',
  refundedBefore: 0n,
});
const call = { payment, operation, reference: referenceOf(payment), mode: 'live' as const };
const MEANINGS: readonly GatewayMeaning[] = [
  'succeeded',
  'authorized',
  'failed',
  'expired',
  'voided',
  'refunded',
  'partiallyRefunded',
  'chargedBack',
  'processing',
  'otp',
  'pin',
  'unsupported',
  'redirect',
  'unknownTransaction',
  'undecided',
  'refused',
];
const becomes = (update: PaymentUpdate | undefined): string => update?.operations?.[0]?.status ?? 'nothing';
const CONFIRMS = ['succeeded', 'refunded', 'partiallyRefunded'];

describe('when money was given back', () => {
  const at = madeAt - SECOND;
  const inquiry = {
    ...{
      payment,
      reference: call.reference,
      session: sessionRecord(),
      mode: 'live' as const,
      now: madeAt,
      graceMs: SECOND,
    },
    openOperations: [],
    asksRefunds: false,
  } as const;

  test.each<[string, PaymentUpdate | undefined, boolean]>([
    ['the answer to the refund', mean(answered('refunded', { refundedAt: at }), call), true],
    [
      'the answer about the refund',
      interpretRefundStatus(answered('succeeded', { refundedAt: at }), call),
      true,
    ],
    [
      'an answer that came late',
      interpretLateRefund(answered('refunded', { refundedAt: at }), {
        payment,
        operation: { ...operation, status: 'refused' },
      }),
      true,
    ],
    [
      'a status answer that tells of a refund',
      interpretStatus(answered('partiallyRefunded', { refundedAmount: 50_000n, refundedAt: at }), inquiry),
      true,
    ],
    [
      'a success beside a sum',
      interpretStatus(answered('succeeded', { refundedAmount: 50_000n, refundedAt: at }), inquiry),
      true,
    ],
    ['one that tells of none', interpretStatus(answered('succeeded', { refundedAt: at }), inquiry), false],
    ['a refusal', mean(answered('failed', { refundedAt: at }), call), false],
    ['a refund without a time', mean(answered('refunded'), call), false],
  ])('is what the gateway says: %s', (_name, update, said) => {
    expect(update?.refundedAt).toBe(said ? at : undefined);
  });
});

describe('the answer to a refund', () => {
  test.each(MEANINGS)('%s', (meaning) => {
    const update = mean(answered(meaning), call);
    const refused = meaning === 'failed' || meaning === 'refused';
    expect(becomes(update)).toBe(CONFIRMS.includes(meaning) ? 'confirmed' : refused ? 'refused' : 'unknown');
    expect(update.problem?.code).toBe(refused ? 'gateway-refused' : undefined);
    expect(update.move).toBeUndefined();
  });

  test.each<[GatewayResult, string, string | undefined]>([
    [{ kind: 'not-sent', reason: 'refused' }, 'refused', 'gateway-unavailable'],
    [{ kind: 'credentials-rejected', status: 401 }, 'refused', 'gateway-credentials-rejected'],
    [{ kind: 'busy' }, 'refused', 'gateway-busy'],
    [{ kind: 'rejected', status: 422 }, 'refused', 'gateway-refused'],
    [{ kind: 'unknown', reason: 'timeout' }, 'unknown', undefined],
  ])('%j', (result, status, code) => {
    const update = mean(result, call);
    expect([becomes(update), update.problem?.code]).toEqual([status, code]);
  });

  test.each([
    [{ amount: 150_000n }],
    [{ amount: 'unreadable' as const }],
    [{ currency: 'USD' }],
    [{ reference: 'ORDER-1_1_r2' }],
    [{ reference: 'ORDER-2_1' }],
  ])('about %j is about another one', (named) => {
    for (const meaning of MEANINGS.filter((one) => one !== 'unknownTransaction')) {
      const update = mean(answered(meaning, named), call);
      expect([becomes(update), update.attention?.reason]).toEqual(['unknown', 'refund_doubtful']);
      const later = interpretRefundStatus(answered(meaning, named), call);
      expect([becomes(later), later.attention?.reason]).toEqual(['nothing', 'refund_doubtful']);
    }
  });

  test.each(['ORDER-1_1_r1', 'ORDER-1_1'])('may name %s', (reference) => {
    expect(becomes(mean(answered('refunded', { reference, amount: 50_000n }), call))).toBe('confirmed');
  });

  test('without an amount is not believed where the profile wants one', () => {
    const unnamed = answered('refunded', { amountRequired: true });
    expect(becomes(mean(unnamed, call))).toBe('unknown');
    expect(becomes(interpretRefundStatus(unnamed, call))).toBe('nothing');
  });
});

describe('the answer to a question about a refund', () => {
  test.each(MEANINGS)('%s', (meaning) => {
    const update = interpretRefundStatus(answered(meaning), call);
    expect(becomes(update)).toBe(
      CONFIRMS.includes(meaning) ? 'confirmed' : meaning === 'failed' ? 'refused' : 'nothing',
    );
    expect(update.problem).toBeUndefined();
  });

  test('that failed has the payment asked about at once: what was heard of it meanwhile was read as this refund', () => {
    expect(interpretRefundStatus(answered('failed'), call).checkNow).toBe(true);
  });
});

describe('a refund that counts as failed, of which the sum rises', () => {
  const refused = operationRecord({ id: 'ref_0', type: 'refund', status: 'refused', amount: 50_000n });
  const settledRefunds = [refused];
  const twice = { refundedAmount: 100_000n };
  const contradicted = expect.objectContaining({ reason: 'refund_contradicted' }) as unknown;

  test('is contradicted by the answer to the next one', () => {
    const update = mean(answered('refunded', twice), { ...call, settledRefunds });
    expect(update).toMatchObject({ refunded: 100_000n, attention: contradicted });
    expect(becomes(update)).toBe('confirmed');
  });

  test('is contradicted by the answer to a question about the next one', () => {
    const update = interpretRefundStatus(answered('refunded', twice), { ...call, settledRefunds });
    expect(update).toMatchObject({ refunded: 100_000n, attention: contradicted });
  });

  test('is contradicted where more was given back besides than it alone', () => {
    const update = mean(answered('refunded', { refundedAmount: 120_000n }), { ...call, settledRefunds });
    expect(update).toMatchObject({ refunded: 120_000n, attention: contradicted });
  });

  test.each([
    ['where nothing rose but by the next one', settledRefunds, 50_000n],
    ['where the rise is less', settledRefunds, 90_000n],
    ['where the sum goes on holding one that came back', [{ ...refused, inSum: true }], 100_000n],
    ['where none has failed', [], 100_000n],
  ])('is not contradicted %s', (_name, settled, refundedAmount) => {
    const update = mean(answered('refunded', { refundedAmount }), { ...call, settledRefunds: settled });
    expect(update.attention).toBeUndefined();
  });

  test('that came back is not counted where the sum goes on holding it', () => {
    const held = [{ ...refused, inSum: true }];
    expect(mean(answered('refunded', twice), { ...call, settledRefunds: held }).refunded).toBe(50_000n);
  });
});

describe('an answer to a refund that was settled meanwhile', () => {
  const as = (status: OperationStatus): OperationRecord => ({ ...operation, status });
  const late = (meaning: GatewayMeaning, recorded: OperationRecord, over: Partial<PaymentRecord> = {}) =>
    interpretLateRefund(answered(meaning), { payment: { ...payment, ...over }, operation: recorded });

  test('counts money that was thought not to have been given back, and asks for a person', () => {
    expect(late('refunded', as('refused'), { amountRefunded: null })).toMatchObject({
      refunded: 50_000n,
      attention: { reason: 'refund_contradicted' },
      checkNow: true,
    });
  });

  test.each<[GatewayMeaning, OperationStatus, boolean]>([
    ['refunded', 'confirmed', false],
    ['failed', 'confirmed', true],
    ['refunded', 'refused', true],
    ['failed', 'refused', false],
    // Settled a moment ago: nobody saw how.
    ['refunded', 'unknown', true],
    ['failed', 'unknown', true],
    ['processing', 'confirmed', false],
  ])(
    'that says %s is held against the word %s of its own row, whatever others gave back since',
    (meaning, status, looks) => {
      for (const amountRefunded of [null, 50_000n, 150_000n])
        expect(late(meaning, as(status), { amountRefunded })?.attention?.reason).toBe(
          looks ? 'refund_contradicted' : undefined,
        );
    },
  );

  test('says nothing where nothing was sent', () => {
    const result: GatewayResult = { kind: 'not-sent', reason: 'abandoned' };
    expect(interpretLateRefund(result, { payment, operation })).toBeUndefined();
  });
});

describe('what contradicts an earlier refund', () => {
  test('is not settled by a later one', () => {
    expect(mean(answered('refunded'), call).lifts).toEqual(['refund_doubtful']);
  });
});

describe('a status answer while a refund is open', () => {
  const ask = (
    said: GatewayResult,
    over: Partial<PaymentRecord> = {},
    asksRefunds = false,
    settledRefunds: OperationRecord[] = [],
  ): PaymentUpdate => {
    const about = { ...payment, ...over };
    return interpretStatus(said, {
      payment: about,
      reference: referenceOf(about),
      session: sessionRecord(),
      openOperations: [operation],
      mode: 'live' as const,
      now: madeAt + 100 * SECOND,
      graceMs: SECOND,
      asksRefunds,
      settledRefunds,
    });
  };

  test('confirms it by a rise of just its amount, and by nothing else; nothing refuses it', () => {
    const amount = fc.bigInt({ min: 0n, max: 150_000n });
    const meaning = fc.constantFrom<GatewayMeaning>(
      'succeeded',
      'refunded',
      'partiallyRefunded',
      'voided',
      'chargedBack',
    );
    fc.assert(
      fc.property(meaning, amount, amount, fc.boolean(), (word, known, named, asksRefunds) => {
        const update = ask(answered(word, { refundedAmount: named }), { amountRefunded: known }, asksRefunds);
        const moved = update.operations ?? [];
        expect(moved.every(({ status }) => status === 'confirmed')).toBe(true);
        const says = word !== 'voided' || named < 150_000n;
        if (asksRefunds || named - known !== 50_000n) expect(moved).toEqual([]);
        else if (named > 0n && says)
          expect(moved).toEqual([{ id: 'ref_1', status: 'confirmed', inferred: true }]);
        expect(update.move).toBeUndefined();
        if (moved.length === 0) expect(update.conclusive).not.toBe(true);
      }),
    );
  });

  test.each<[GatewayMeaning, object]>([
    ['failed', {}],
    ['expired', {}],
    ['processing', {}],
    ['authorized', {}],
    ['unknownTransaction', {}],
    ['refused', {}],
    ['succeeded', { amount: 9n }],
  ])('%s settles nothing', (meaning, named) => {
    expect(ask(answered(meaning, named)).operations ?? []).toEqual([]);
  });

  test('a reversal of just its amount may be besides, so a person is asked', () => {
    const update = ask(answered('voided', { amount: 50_000n }));
    expect(update).toMatchObject({ refunded: 50_000n, attention: { reason: 'refund_doubtful' } });
    expect(update.operations ?? []).toEqual([]);
  });

  test('a greater rise asks for a person, a smaller one is somebody else’s', () => {
    expect(ask(answered('succeeded', { refundedAmount: 60_000n }))).toMatchObject({
      refunded: 60_000n,
      attention: { reason: 'refund_doubtful' },
    });
    const smaller = ask(answered('partiallyRefunded', { refundedAmount: 40_000n }));
    expect([smaller.refunded, smaller.attention, smaller.operations]).toEqual([
      40_000n,
      undefined,
      undefined,
    ]);
  });

  test.each([
    [40_000n, 40_000n, false],
    [40_000n, 90_000n, true],
  ])(
    'a rise besides, of just a refund of %s that counts as failed, asks for a person',
    (amount, sum, asks) => {
      const refused = operationRecord({ id: 'ref_0', type: 'refund', status: 'refused', amount });
      const update = ask(answered('partiallyRefunded', { refundedAmount: sum }), {}, asks, [refused]);
      expect(update).toMatchObject({ refunded: 40_000n, attention: { reason: 'refund_contradicted' } });
    },
  );
});
