import { describe, expect, test } from '@jest/globals';
import {
  madeAt,
  MINUTE,
  operationRecord,
  paymentIn,
  referenceOf,
  SECOND,
  sessionRecord,
} from '../../../test/harness/records.js';
import { eventBody } from '../../merchant-webhooks/event.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import type { PaymentRecord, SessionRecord } from '../../store/schema.js';
import { reasonsOf } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { apply, type ApplyContext, type PaymentSnapshot } from './apply.js';

const now = madeAt + MINUTE;
const context: ApplyContext = {
  now,
  livemode: false,
  epoch: 0,
  deliver: true,
  maxDeclines: 5,
  random: () => 0.5,
  rules: { voidDuplicates: false, graceMs: 900 * SECOND },
};

type Applied = ReturnType<typeof apply>;

function applied(
  payment: PaymentRecord,
  update: PaymentUpdate,
  over: Partial<PaymentSnapshot> & Partial<ApplyContext> = {},
): Applied {
  const rows = {
    payment,
    session: sessionRecord(),
    reference: referenceOf(payment),
    openOperations: [],
    paidBeside: [],
    ...over,
  };
  return apply(rows, update, { ...context, ...over });
}

const types = ({ events }: Applied) => (events ?? []).map(({ type }) => type);
const entries = ({ timeline }: Applied) => (timeline ?? []).map(({ type }) => type);
const bodies = ({ events }: Applied) =>
  (events ?? []).map(
    (event) => JSON.parse(eventBody(event)) as { sequence: number; late?: boolean; data: { status: string } },
  );
/** Who was announced as what. */
const announced = ({ events }: Applied) =>
  (events ?? []).map(({ type, aggregateId }) => `${aggregateId} ${type}`);

const succeeds: PaymentUpdate = {
  move: { to: 'succeeded', by: 'gateway', captured: 150_000n },
  conclusive: true,
};
const voids: PaymentUpdate = { move: { to: 'voided', by: 'gateway' }, actor: 'merchant' };
const paidSession = sessionRecord({ status: 'paid' });

/** Another paid payment of the reference, a duplicate of `pay_1` unless `over` says otherwise. */
function beside(
  id: string,
  over: Partial<PaymentRecord> = {},
  rows: Partial<Pick<PaidBeside, 'session' | 'openOperations'>> = {},
): PaidBeside {
  const session = rows.session ?? paidSession;
  const own = { id, sessionId: session.id, duplicateOf: 'pay_1', closedAt: madeAt + SECOND };
  return { payment: paymentIn('succeeded', { ...own, ...over }), openOperations: [], ...rows, session };
}

/** What a write of the payment `pay_1` does beside these, all of which the reference's row names. */
function among(
  payment: PaymentRecord,
  update: PaymentUpdate,
  paidBeside: PaidBeside[],
  over: Parameters<typeof applied>[2] = {},
): Applied {
  const others = paidBeside.map(({ payment: { id } }) => id);
  const own = payment.status === 'succeeded' ? [payment.id] : [];
  const paidPaymentIds = payment.duplicateOf === null ? [...own, ...others] : [...others, ...own];
  const reference = referenceOf(payment, { paidPaymentIds });
  return applied(payment, update, { paidBeside, session: paidSession, reference, ...over });
}

const givesBackWhole: PaymentUpdate = { refunded: 150_000n, answered: true, conclusive: true };
const chargesBack: PaymentUpdate = { disputed: true, answered: true, conclusive: true };

describe('a payment that holds no money', () => {
  test.each<[string, Partial<PaymentRecord>]>([
    ['was given back', { amountRefunded: 150_000n }],
    ['was charged back', { disputed: true }],
  ])('is not announced as paying where the first is voided: it %s', (_name, over) => {
    const result = among(paymentIn('succeeded'), voids, [beside('pay_2', over)]);
    expect(announced(result)).toEqual(['pay_1 payment.voided', 'cs_1 checkout_session.closed']);
    expect(result.reference?.paidPaymentIds).toEqual([]);
    expect(result.beside).toBeUndefined();
  });

  test.each<[string, PaymentUpdate, string]>([
    ['was given back', givesBackWhole, 'payment.refunded'],
    ['was charged back', chargesBack, 'payment.disputed'],
  ])('is announced by that alone where it is paid late: it %s', (_name, follows, type) => {
    const payment = paymentIn('canceled');
    const session = sessionRecord({ status: 'expired' });
    const result = applied(payment, { ...follows, ...succeeds }, { session });
    expect(result.payment).toMatchObject({ status: 'succeeded', duplicateOf: null });
    expect(types(result)).toEqual([type]);
    expect(result.session).toBeUndefined();
    expect(result.reference?.paidPaymentIds ?? []).toEqual([]);
    const duplicate = among(payment, { ...follows, ...succeeds }, [beside('pay_0', { duplicateOf: null })]);
    expect(announced(duplicate)).toEqual([`pay_1 ${type}`]);
  });

  test('is announced as paying where part of it was given back', () => {
    const result = applied(paymentIn('canceled'), { ...succeeds, refunded: 50_000n });
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid', 'payment.refunded']);
  });
});

describe('the next one pays', () => {
  test.each<[string, PaymentUpdate, string]>([
    ['given back whole', givesBackWhole, 'payment.refunded'],
    ['charged back whole', chargesBack, 'payment.disputed'],
  ])('where the one that paid is %s', (_name, update, type) => {
    const result = among(paymentIn('succeeded'), update, [beside('pay_2'), beside('pay_3')]);
    expect(announced(result)).toEqual([
      `pay_1 ${type}`,
      'pay_2 payment.succeeded',
      'cs_1 checkout_session.paid',
    ]);
    expect(result.beside?.payments.map(({ id, duplicateOf }) => [id, duplicateOf])).toEqual([
      ['pay_2', null],
      ['pay_3', 'pay_2'],
    ]);
    expect(result.reference?.paidPaymentIds).toEqual(['pay_2', 'pay_3']);
    expect(result.payment).toMatchObject({ status: 'succeeded', duplicateOf: null });
  });

  test('not while a part of the first is left', () => {
    const result = among(paymentIn('succeeded'), { ...givesBackWhole, refunded: 149_999n }, [
      beside('pay_2'),
    ]);
    expect(announced(result)).toEqual(['pay_1 payment.refunded']);
    expect(result.beside).toBeUndefined();
  });

  test('which has nothing on its way, before one that has', () => {
    const openOperations = [operationRecord({ type: 'refund', status: 'unknown', paymentId: 'pay_2' })];
    const result = among(paymentIn('succeeded'), voids, [
      beside('pay_2', {}, { openOperations }),
      beside('pay_3', { closedAt: madeAt + 2 * SECOND }),
    ]);
    expect(announced(result)).toEqual([
      'pay_1 payment.voided',
      'pay_3 payment.succeeded',
      'cs_1 checkout_session.paid',
    ]);
    expect(result.beside?.payments.map(({ id, duplicateOf }) => [id, duplicateOf])).toEqual([
      ['pay_3', null],
      ['pay_2', 'pay_3'],
    ]);
  });

  test('which has come after one that holds nothing any more', () => {
    const result = among(paymentIn('succeeded'), voids, [
      beside('pay_2', { disputed: true }),
      beside('pay_3', { closedAt: madeAt + 2 * SECOND }),
    ]);
    expect(announced(result)[1]).toBe('pay_3 payment.succeeded');
    expect(result.reference?.paidPaymentIds).toEqual(['pay_3']);
  });

  describe('once its own refund is settled', () => {
    const refund = operationRecord({
      type: 'refund',
      status: 'unknown',
      amount: 150_000n,
      refundedBefore: 0n,
    });
    const waits = paymentIn('succeeded', { duplicateOf: 'pay_0' });

    test('which leaves its session paid until then', () => {
      const result = among(paymentIn('succeeded'), voids, [
        beside('pay_2', {}, { openOperations: [{ ...refund, paymentId: 'pay_2' }] }),
      ]);
      expect(announced(result)).toEqual(['pay_1 payment.voided']);
      expect(result.reference?.paidPaymentIds).toEqual(['pay_2']);
      expect(result.session).toBeUndefined();
    });

    test('as not done', () => {
      const update: PaymentUpdate = { operations: [{ id: refund.id, status: 'refused' }], conclusive: true };
      const result = among(waits, update, [], { openOperations: [refund] });
      expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid', 'payment.refund_failed']);
      expect(result.payment.duplicateOf).toBeNull();
    });

    test('and not where it was done: the session of the voided one is closed then', () => {
      const update: PaymentUpdate = {
        operations: [{ id: refund.id, status: 'confirmed' }],
        conclusive: true,
      };
      const result = among(waits, update, [], { openOperations: [refund] });
      expect(types(result)).toEqual(['payment.refunded', 'checkout_session.closed']);
      expect(result.session).toMatchObject({ status: 'closed', closedReason: 'voided' });
      expect(result.reference?.paidPaymentIds).toEqual([]);
    });
  });

  test('not where nobody knows what it holds', () => {
    const unclear = { needsAttention: true, attentionReason: 'refund_unclear refunded:::' };
    const result = among(paymentIn('succeeded'), voids, [beside('pay_2', unclear)]);
    expect(announced(result)).toEqual(['pay_1 payment.voided']);
  });
});

describe('an order that was paid and given back', () => {
  test('stays paid, and its reference taken', () => {
    const result = applied(paymentIn('succeeded'), givesBackWhole, { session: paidSession });
    expect(types(result)).toEqual(['payment.refunded']);
    expect(result.session).toBeUndefined();
    expect(result.reference).toBeUndefined();
  });

  test('is paid by money that comes late', () => {
    const back = beside('pay_0', { duplicateOf: null, amountRefunded: 150_000n });
    const result = among(paymentIn('canceled'), succeeds, [back]);
    expect(announced(result)).toEqual(['pay_1 payment.succeeded', 'cs_1 checkout_session.paid']);
    expect(result.payment.duplicateOf).toBeNull();
    expect(result.reference?.paidPaymentIds).toEqual(['pay_1']);
  });
});

describe('a chargeback', () => {
  const charged = { disputed: true, amountDisputed: 150_000n, disputedAt: madeAt };

  test.each<[string, Partial<PaymentRecord>, PaymentUpdate, bigint | null]>([
    ['the gateway’s', {}, { ...chargesBack, disputedAmount: 40_000n }, 40_000n],
    ['all that is left', { amountRefunded: 50_000n }, chargesBack, 100_000n],
  ])('has an amount: %s', (_name, over, update, amountDisputed) => {
    const result = applied(paymentIn('succeeded', over), update, { session: paidSession });
    expect(result.payment).toMatchObject({ disputed: true, amountDisputed, disputedAt: now });
    expect([types(result), reasonsOf(result.payment)]).toEqual([['payment.disputed'], []]);
    // The next question about it is asked in a day.
    expect(result.payment.nextStatusCheckAt).toBe(now + 24 * 60 * MINUTE);
  });

  test.each<[string, bigint, Partial<PaymentRecord>, PaymentUpdate]>([
    ['the gateway’s', 50_000n, { amountRefunded: 100_001n }, { ...chargesBack, disputedAmount: 50_000n }],
    ['the whole where nothing is left', 150_000n, { amountRefunded: 150_000n }, chargesBack],
    ['a refund after it', 150_000n, charged, { refunded: 1n }],
    ['another refund after it', 150_000n, { ...charged, amountRefunded: 1n }, { refunded: 2n }],
    [
      'a sum that rises',
      50_001n,
      { ...charged, amountDisputed: 50_000n, amountRefunded: 100_000n },
      { ...chargesBack, disputedAmount: 50_001n },
    ],
  ])('beside refunds of more than was left needs a person: %s', (_name, amountDisputed, over, update) => {
    const result = applied(paymentIn('succeeded', over), update, { session: paidSession });
    expect(result.payment.amountDisputed).toBe(amountDisputed);
    expect(reasonsOf(result.payment)).toEqual(['charged_back_after_refund']);
    expect(types(result).at(-1)).toBe('payment.needs_attention');
    const fewer = { ...chargesBack, disputedAmount: 1n };
    const looked = applied(result.payment, fewer, { session: paidSession }).payment;
    expect(looked.needsAttention).toBe((looked.amountRefunded ?? 0n) === 150_000n);
  });

  test.each<[string, bigint]>([
    ['rises', 50_000n],
    ['shrinks', 30_000n],
  ])('that %s is announced again, and one that is repeated is not', (_name, disputedAmount) => {
    const payment = paymentIn('succeeded', { ...charged, amountDisputed: 40_000n });
    const changed = applied(payment, { ...chargesBack, disputedAmount });
    expect([types(changed), changed.payment.amountDisputed]).toEqual([['payment.disputed'], disputedAmount]);
    expect(types(applied(payment, { ...chargesBack, disputedAmount: 40_000n }))).toEqual([]);
    expect(types(applied(payment, chargesBack))).toEqual([]);
  });

  test('that was won is over', () => {
    const payment = paymentIn('succeeded', {
      ...charged,
      needsAttention: true,
      attentionReason: 'dispute_contradicted',
    });
    const result = applied(payment, { disputeWon: true, conclusive: true }, { session: paidSession });
    expect(result.payment).toMatchObject({ disputed: false, amountDisputed: null, needsAttention: false });
    expect(types(result)).toEqual(['payment.dispute_won']);
    expect(entries(result)).toEqual(['dispute_won', 'attention_lifted']);
    expect(types(applied(result.payment, { disputeWon: true }))).toEqual([]);
  });

  test('that was won of the payment announced first makes the other one a duplicate again', () => {
    const payment = paymentIn('succeeded', { ...charged, closedAt: madeAt });
    const other = beside('pay_2', { duplicateOf: null });
    const result = among(payment, { disputeWon: true, conclusive: true }, [other]);
    expect(announced(result)).toEqual(['pay_1 payment.dispute_won', 'pay_2 payment.duplicate']);
    const policy = { rules: { ...context.rules, voidDuplicates: true } };
    const kept = among(payment, { disputeWon: true, conclusive: true }, [other], policy);
    expect(announced(kept)).toEqual([
      'pay_1 payment.dispute_won',
      'pay_2 payment.duplicate',
      'pay_2 payment.needs_attention',
    ]);
    expect(kept.beside?.payments).toMatchObject([
      { id: 'pay_2', announcedPaidAt: now, attentionReason: 'duplicate_not_voided pay_1' },
    ]);
    expect(result.reference?.paidPaymentIds ?? ['pay_1', 'pay_2']).toEqual(['pay_1', 'pay_2']);
  });
});

describe('a payment that a person calls paid while it is charged back', () => {
  const unpaid = paymentIn('canceled', { disputed: true, disputedAt: madeAt });
  const calls: PaymentUpdate = {
    move: { to: 'succeeded', by: 'person' },
    resolved: true,
    captured: 150_000n,
  };
  const resolved = applied(unpaid, calls);

  test('is told by its dispute, and its order is not paid', () => {
    expect(types(resolved)).toEqual(['payment.disputed']);
    expect(resolved.payment).toMatchObject({ amountDisputed: 150_000n, announcedPaidAt: null });
    expect([resolved.session, resolved.reference?.paidPaymentIds ?? []]).toEqual([undefined, []]);
  });

  const won: PaymentUpdate = { disputeWon: true, conclusive: true };
  const payment = { ...resolved.payment, paidAt: madeAt, closedAt: madeAt };

  test('takes no place of one that was announced meanwhile when the dispute is won', () => {
    const session = sessionRecord({ id: 'cs_2', status: 'paid' });
    const told = { duplicateOf: null, paidAt: now, announcedPaidAt: now, closedAt: now };
    const other = beside('pay_2', told, { session });
    const result = among(payment, won, [other], { session: sessionRecord() });
    expect(announced(result)).toEqual(['pay_1 payment.duplicate', 'pay_1 payment.dispute_won']);
    expect(result.payment).toMatchObject({ duplicateOf: 'pay_2', announcedPaidAt: null });
    expect([result.beside, result.session]).toEqual([undefined, undefined]);
    expect(result.reference?.paidPaymentIds).toEqual(['pay_2', 'pay_1']);
  });

  test('pays its order once the dispute is won where no other does', () => {
    const result = applied(payment, won, { reference: referenceOf(payment, { paidPaymentIds: [] }) });
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid', 'payment.dispute_won']);
    expect(result.payment.announcedPaidAt).toBe(now);
  });
});

test('a duplicate that was announced as paying has a person look whenever it holds money again', () => {
  const empty = paymentIn('succeeded', { duplicateOf: 'pay_2', announcedPaidAt: madeAt, disputed: true });
  const rules = { ...context.rules, voidDuplicates: true };
  const others = [beside('pay_2', { duplicateOf: null, closedAt: madeAt - SECOND })];
  const result = among(empty, { disputeWon: true, conclusive: true }, others, { rules });
  expect(announced(result).at(-1)).toBe('pay_1 payment.needs_attention');
  expect(result.payment.attentionReason).toBe('duplicate_not_voided pay_2');
});

test('a duplicate whose money comes back is announced as one', () => {
  const empty = paymentIn('succeeded', { duplicateOf: 'pay_2', paidAt: madeAt, disputed: true });
  const won: PaymentUpdate = { disputeWon: true, conclusive: true };
  const result = among(empty, won, [beside('pay_2', { duplicateOf: null })]);
  expect(announced(result)).toEqual(['pay_1 payment.duplicate', 'pay_1 payment.dispute_won']);
});

describe('when it was paid', () => {
  const at = (paidAt?: number): number | null =>
    applied(paymentIn('processing'), { move: { to: 'succeeded', by: 'gateway', paidAt } }).payment.paidAt;

  test.each<[string, number | undefined, number]>([
    ['the gateway’s time', madeAt + SECOND, madeAt + SECOND],
    ['when it was learned', undefined, now],
    ['when it was learned, where the gateway names the future', now + 1, now],
    ['when it was learned, where the gateway names a time long before', madeAt - 61 * 24 * 60 * MINUTE, now],
  ])('%s', (_name, paidAt, believed) => {
    expect(at(paidAt)).toBe(believed);
  });

  test('never changes', () => {
    const payment = paymentIn('succeeded', { paidAt: madeAt });
    expect(applied(payment, givesBackWhole, { session: paidSession }).payment.paidAt).toBe(madeAt);
  });
});

test('a hold that money for its order has overtaken needs attention at once, once', () => {
  const hold = { ...beside('pay_2'), payment: paymentIn('authorized', { id: 'pay_2', eventSequence: 1 }) };
  const waiting = { ...hold, payment: paymentIn('requires_action', { id: 'pay_3' }) };
  const payment = paymentIn('canceled');
  const reference = referenceOf(payment, { livePaymentIds: ['pay_2', 'pay_3'] });
  const result = applied(payment, succeeds, { reference, liveBeside: [hold, waiting] });
  expect(announced(result)).toEqual([
    'pay_1 payment.succeeded',
    'cs_1 checkout_session.paid',
    'pay_2 payment.needs_attention',
  ]);
  expect(result.beside?.payments).toMatchObject([
    { id: 'pay_2', needsAttention: true, attentionReason: 'hold_beside_another_payment', eventSequence: 2 },
  ]);
  const looked = [{ ...hold, payment: result.beside?.payments[0] ?? hold.payment }];
  expect(applied(payment, succeeds, { reference, liveBeside: looked }).beside).toBeUndefined();
  const back = paymentIn('succeeded', { paidAt: madeAt, disputed: true });
  const won = applied(back, { disputeWon: true, conclusive: true }, { reference, liveBeside: [hold] });
  expect(announced(won).at(-1)).toBe('pay_2 payment.needs_attention');
});

test('a void that was refused in words may have been done, until the payment moves or a person says', () => {
  const refused = applied(paymentIn('authorized'), { voidDoubtful: true }).payment;
  expect(refused.voidDoubtfulSince).toBe(now);
  expect(applied(refused, { conclusive: true }).payment.voidDoubtfulSince).toBe(now);
  expect(applied(refused, succeeds).payment.voidDoubtfulSince).toBeNull();
  expect(applied(refused, { resolved: true }).payment.voidDoubtfulSince).toBeNull();
});

describe('a void whose outcome was unknown', () => {
  test.each<[string, number | undefined, number, boolean]>([
    ['time', 4, 4, true],
    ['the gateway’s word', undefined, 0, false],
  ])('a void that %s has refused', (_by, formerCount, count, doubtful) => {
    const openOperations = [operationRecord({ type: 'void', formerCount: 3 })];
    const update: PaymentUpdate = {
      operations: [{ id: 'op_void', status: 'refused', ...(formerCount !== undefined && { formerCount }) }],
    };
    const result = applied(paymentIn('succeeded'), update, { openOperations });
    expect(result.operations).toMatchObject([{ status: 'refused', formerCount: count }]);
    expect(result.payment.voidDoubtfulSince).toBe(doubtful ? now : null);
  });

  test.each<[string, PaymentUpdate, boolean]>([
    ['an answer', { answered: true, conclusive: true }, true],
    ['a person’s word', { resolved: true, conclusive: true }, false],
    ['the reversal', { move: { to: 'voided', by: 'gateway' }, conclusive: true }, false],
  ])('a doubtful void after %s', (_after, update, doubtful) => {
    const payment = paymentIn('succeeded', { voidDoubtfulSince: madeAt });
    expect(applied(payment, update).payment.voidDoubtfulSince).toBe(doubtful ? madeAt : null);
  });
});

describe('a void of the payment that pays', () => {
  const sessions = { paid: sessionRecord({ status: 'paid' }), other: sessionRecord({ id: 'cs_2' }) };
  const other = (id: string, session: SessionRecord): PaidBeside => ({
    payment: paymentIn('succeeded', {
      id,
      sessionId: session.id,
      duplicateOf: 'pay_1',
      leaseOwner: 'own_2',
      leaseFence: 4,
    }),
    session,
    openOperations: [],
  });
  const voided = (paidBeside: PaidBeside[]) => {
    const payment = paymentIn('succeeded');
    const paidPaymentIds = ['pay_1', ...paidBeside.map(({ payment: { id } }) => id)];
    return applied(payment, voids, {
      paidBeside,
      session: sessions.paid,
      reference: referenceOf(payment, { paidPaymentIds }),
    });
  };

  test('closes the session where nothing else is paid', () => {
    const result = voided([]);
    expect(types(result)).toEqual(['payment.voided', 'checkout_session.closed']);
    expect(result.beside).toBeUndefined();
  });

  test('makes the next one pay, whose session stays paid and is announced so once more', () => {
    const result = voided([other('pay_2', sessions.paid)]);
    expect(types(result)).toEqual(['payment.voided', 'payment.succeeded', 'checkout_session.paid']);
    expect(bodies(result)[1]).toMatchObject({
      sequence: 1,
      data: { id: 'pay_2', status: 'succeeded', duplicateOf: null },
    });
    expect(bodies(result)[1]).not.toHaveProperty('late');
    expect(result.session).toMatchObject({ status: 'paid', eventSequence: 1 });
    expect(result.reference?.paidPaymentIds).toEqual(['pay_2']);
    expect(result.beside?.session).toBeUndefined();
    // Its lease is another's business.
    expect(result.beside?.payments).toMatchObject([
      { id: 'pay_2', duplicateOf: null, version: 2, leaseOwner: 'own_2', leaseFence: 4, eventSequence: 1 },
    ]);
    expect(result.timeline).toMatchObject([
      { paymentId: 'pay_1', type: 'status_changed' },
      {
        paymentId: 'pay_2',
        type: 'duplicate_ended',
        sequence: 3,
        actor: 'merchant',
        detail: { was: 'pay_1' },
      },
    ]);
  });

  test.each(['open', 'expired', 'closed'] as const)(
    'closes its session where the next one is of another, %s one, which is paid now',
    (status) => {
      const result = voided([other('pay_2', { ...sessions.other, status })]);
      expect(result.events?.map(({ type, aggregateId }) => [type, aggregateId])).toEqual([
        ['payment.voided', 'pay_1'],
        ['checkout_session.closed', 'cs_1'],
        ['payment.succeeded', 'pay_2'],
        ['checkout_session.paid', 'cs_2'],
      ]);
      expect(bodies(result).map(({ late }) => late ?? false)).toEqual([
        false,
        false,
        status !== 'open',
        status !== 'open',
      ]);
      expect(result.session).toMatchObject({ id: 'cs_1', status: 'closed' });
      expect(result.beside?.session).toMatchObject({ id: 'cs_2', status: 'paid' });
    },
  );

  test('makes all further ones duplicates of the next', () => {
    const others = ['pay_2', 'pay_3', 'pay_4'].map((id) => other(id, sessions.paid));
    const result = voided(others);
    expect(result.beside?.payments.map(({ id, duplicateOf }) => [id, duplicateOf])).toEqual([
      ['pay_2', null],
      ['pay_3', 'pay_2'],
      ['pay_4', 'pay_2'],
    ]);
    expect(types(result)).toEqual(['payment.voided', 'payment.succeeded', 'checkout_session.paid']);
  });

  test('is a fault of the code where the others were not read', () => {
    const payment = paymentIn('succeeded');
    const reference = referenceOf(payment, { paidPaymentIds: ['pay_1', 'pay_2'] });
    expect(() => applied(payment, voids, { reference })).toThrow('was not read');
  });

  test('as version 0.1.0 left it: the next write makes the one that is left pay', () => {
    const payment = paymentIn('succeeded', { duplicateOf: 'pay_0' });
    const session = sessionRecord({ status: 'closed' });
    const result = applied(payment, { answered: true }, { session });
    expect(result.payment.duplicateOf).toBeNull();
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid']);
    expect(entries(result)).toEqual(['duplicate_ended']);
    expect(types(applied(result.payment, { answered: true }))).toEqual([]);
  });
});
