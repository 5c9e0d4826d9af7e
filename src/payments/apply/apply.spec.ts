import { describe, expect, test } from '@jest/globals';
import type { PaymentRecord, PaymentStatus, SessionRecord } from '../../store/schema.js';
import {
  DAY,
  HOUR,
  madeAt,
  MINUTE,
  operationRecord,
  paymentIn,
  paymentRecord,
  referenceOf,
  SECOND,
  sessionRecord,
} from '../../../test/harness/records.js';
import { eventBody } from '../../merchant-webhooks/event.js';
import type { PaidBeside } from '../../store/payment-writer.js';
import { apply, type ApplyContext, type PaymentSnapshot } from './apply.js';
import { failure } from '../state/failures.js';
import { IllegalMove } from '../state/payment-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';

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

const succeeds: PaymentUpdate = {
  move: { to: 'succeeded', by: 'gateway', captured: 150_000n },
  conclusive: true,
};
const declines: PaymentUpdate = {
  move: { to: 'failed', by: 'gateway', failure: failure('declined') },
  conclusive: true,
};

describe('a move', () => {
  test('is written, entered, announced, and counted', () => {
    const payment = paymentIn('requires_action', { eventSequence: 1, timelineSequence: 4, version: 7 });
    const result = applied(payment, { ...succeeds, transactionRef: 'T1', answered: true, actor: 'payer' });
    expect(result.payment).toMatchObject({
      status: 'succeeded',
      amountCaptured: 150_000n,
      nextAction: null,
      failure: null,
      transactionRef: 'T1',
      closedAt: now,
      nextStatusCheckAt: null,
      openSince: null,
      version: 8,
      updatedAt: now,
      eventSequence: 2,
      timelineSequence: 5,
    });
    expect(result.timeline).toMatchObject([
      {
        sequence: 5,
        type: 'status_changed',
        fromStatus: 'requires_action',
        toStatus: 'succeeded',
        late: false,
        actor: 'payer',
        at: now,
      },
    ]);
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid']);
    expect(bodies(result)[0]).toMatchObject({ sequence: 2, data: { status: 'succeeded' } });
    expect(result.reference).toMatchObject({ livePaymentIds: [], paidPaymentIds: ['pay_1'] });
    expect(result.session).toMatchObject({ status: 'paid', eventSequence: 1 });
  });

  test('that the table does not have is a fault of the code', () => {
    expect(() => applied(paymentIn('voided'), succeeds)).toThrow(IllegalMove);
    expect(() => applied(paymentIn('succeeded'), { nextAction: { type: 'otp' } })).toThrow(IllegalMove);
  });

  test.each<[PaymentStatus, PaymentUpdate, string[]]>([
    ['processing', { nextAction: { type: 'otp' } }, ['payment.requires_action']],
    ['processing', { move: { to: 'authorized', by: 'gateway' } }, ['payment.authorized']],
    ['processing', { move: { to: 'expired', by: 'clock' } }, ['payment.expired']],
    ['requires_action', { move: { to: 'canceled', by: 'cancel' } }, ['payment.canceled']],
    ['requires_action', { move: { to: 'processing', by: 'service' } }, []],
    ['authorized', { move: { to: 'voided', by: 'gateway' } }, ['payment.voided']],
    ['succeeded', { move: { to: 'voided', by: 'gateway' } }, ['payment.voided', 'checkout_session.closed']],
  ])('from %s by %j announces %j', (status, update, announced) => {
    const session = sessionRecord(status === 'succeeded' ? { status: 'paid' } : {});
    expect(types(applied(paymentIn(status), update, { session }))).toEqual(announced);
  });

  test('a new action of one that waits is announced too', () => {
    const result = applied(paymentIn('requires_action'), { nextAction: { type: 'otp' } });
    expect(result.payment.nextAction).toEqual({ type: 'otp' });
    expect(types(result)).toEqual(['payment.requires_action']);
    expect(entries(result)).toEqual([]);
  });

  test('a clock that was set back disorders nothing', () => {
    const payment = paymentIn('processing', { updatedAt: now + HOUR });
    const result = applied(payment, succeeds);
    expect(result.payment.updatedAt).toBe(now + HOUR);
    expect(result.timeline?.[0]?.at).toBe(now + HOUR);
  });

  test('events are not to be delivered where no address is set', () => {
    expect(applied(paymentIn('processing'), succeeds, { deliver: false }).events?.[0]?.deliveryStatus).toBe(
      'none',
    );
  });
});

describe('late money', () => {
  test.each<[PaymentStatus, SessionRecord['status']]>([
    ['failed', 'open'],
    ['canceled', 'expired'],
    ['expired', 'closed'],
  ])('after %s, with a session that is %s', (status, sessionStatus) => {
    const session = sessionRecord({ status: sessionStatus });
    const result = applied(paymentIn(status), succeeds, { session });
    expect(result.payment).toMatchObject({ status: 'succeeded', failure: null });
    expect(result.timeline).toMatchObject([{ fromStatus: status, toStatus: 'succeeded', late: true }]);
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid']);
    expect(bodies(result)[0]?.late).toBe(true);
    expect(result.session?.status).toBe('paid');
  });

  test('a late hold is live again, and its session stays', () => {
    const session = sessionRecord({ status: 'expired' });
    const result = applied(paymentIn('expired'), { move: { to: 'authorized', by: 'gateway' } }, { session });
    expect(result.payment).toMatchObject({ status: 'authorized', closedAt: null });
    expect(result.reference?.livePaymentIds).toEqual(['pay_1']);
    expect(result.session).toBeUndefined();
  });
});

describe('a duplicate', () => {
  const other = { paidPaymentIds: ['pay_0'] };
  const paidBeside: PaidBeside[] = [
    {
      payment: paymentIn('succeeded', { id: 'pay_0', sessionId: 'cs_0' }),
      session: sessionRecord({ id: 'cs_0', status: 'paid' }),
      openOperations: [],
    },
  ];

  test('is announced as that alone, and changes no session', () => {
    const payment = paymentIn('canceled');
    const session = sessionRecord({ status: 'expired' });
    const result = applied(payment, succeeds, {
      reference: referenceOf(payment, other),
      session,
      paidBeside,
    });
    expect(result.payment).toMatchObject({
      status: 'succeeded',
      duplicateOf: 'pay_0',
      nextStatusCheckAt: null,
    });
    expect(types(result)).toEqual(['payment.duplicate']);
    expect(entries(result)).toEqual(['status_changed', 'duplicate']);
    expect(result.session).toBeUndefined();
    expect(result.reference?.paidPaymentIds).toEqual(['pay_0', 'pay_1']);
  });

  test('is asked about where it is to be voided', () => {
    const payment = paymentIn('canceled');
    const result = applied(payment, succeeds, {
      reference: referenceOf(payment, other),
      paidBeside,
      rules: { ...context.rules, voidDuplicates: true },
    });
    expect(result.payment.nextStatusCheckAt).toBe(now + SECOND);
  });

  test('its void changes no session', () => {
    const payment = paymentIn('succeeded', { duplicateOf: 'pay_0' });
    const reference = referenceOf(payment, { paidPaymentIds: ['pay_0', 'pay_1'] });
    const session = sessionRecord({ status: 'paid' });
    const result = applied(
      payment,
      { move: { to: 'voided', by: 'gateway' } },
      { reference, session, paidBeside },
    );
    expect(types(result)).toEqual(['payment.voided']);
    expect(result.reference?.paidPaymentIds).toEqual(['pay_0']);
    expect(result.session).toBeUndefined();
  });

  test('money after the first was voided is none', () => {
    const payment = paymentIn('canceled');
    const result = applied(payment, succeeds, { session: sessionRecord({ status: 'closed' }) });
    expect(result.payment.duplicateOf).toBeNull();
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid']);
  });
});

describe('declines', () => {
  test('are counted by session, address and card', () => {
    const result = applied(paymentIn('processing'), declines);
    expect(result.session).toMatchObject({ declines: 1, status: 'open' });
    expect(result.declines).toMatchObject([
      { id: 'pay_1', addressFingerprint: 'address-hash', cardFingerprint: 'card-hash', weight: 2 },
    ]);
    expect(result.forgiveDecline).toBeUndefined();
  });

  test('close a session when there are too many', () => {
    const session = sessionRecord({ declines: 4 });
    const result = applied(paymentIn('processing'), declines, { session });
    expect(result.session).toMatchObject({ declines: 5, status: 'closed', closedReason: 'declines' });
    expect(types(result)).toEqual(['payment.failed', 'checkout_session.closed']);
  });

  test.each(['gateway_unavailable', 'gateway_busy', 'gateway_never_received', 'resolved'] as const)(
    'are not %s',
    (code) => {
      const by = code === 'resolved' ? 'person' : 'service';
      const result = applied(paymentIn('processing'), { move: { to: 'failed', by, failure: failure(code) } });
      expect([result.declines, result.session]).toEqual([undefined, undefined]);
    },
  );

  test('of a card that the gateway rejected count for the card and its address, not for the session', () => {
    const rejected = { move: { to: 'failed', by: 'gateway', failure: failure('gateway_rejected') } } as const;
    const result = applied(paymentIn('processing'), rejected);
    expect([result.declines?.[0]?.weight, result.session]).toEqual([2, undefined]);
  });

  test('are forgiven where the money came after all', () => {
    const late = { move: { to: 'succeeded', by: 'gateway', captured: 150_000n } } as const;
    expect(applied(paymentIn('failed'), late).forgiveDecline).toBe('pay_1');
    expect(applied(paymentIn('processing'), late).forgiveDecline).toBeUndefined();
  });

  test('are a card’s', () => {
    const result = applied(paymentIn('processing', { method: 'wallet', cardFingerprint: null }), declines);
    expect([result.declines, result.session]).toEqual([undefined, undefined]);
  });
});

describe('operations', () => {
  const unknownVoid = operationRecord({ type: 'void', status: 'intended', createdAt: madeAt });

  test('one that becomes unknown is pending, and asked about in a second', () => {
    const result = applied(
      paymentIn('succeeded'),
      { operations: [{ id: 'op_void', status: 'unknown' }] },
      { openOperations: [unknownVoid] },
    );
    expect(result.payment).toMatchObject({
      pendingOperation: { type: 'void', since: new Date(madeAt).toISOString() },
      nextStatusCheckAt: now + SECOND,
      openSince: now,
    });
    expect(result.operations).toMatchObject([{ id: 'op_void', status: 'unknown', updatedAt: now }]);
    expect(result.timeline).toMatchObject([
      { type: 'operation_unknown', detail: { operation: 'void', id: 'op_void' } },
    ]);
  });

  test('a completion says its amount', () => {
    const openOperations = [operationRecord({ type: 'complete', amount: 100_000n })];
    const { payment } = applied(paymentIn('authorized'), {}, { openOperations });
    expect(payment.pendingOperation).toMatchObject({ type: 'complete', amount: '1000.00' });
  });

  test('an answer that counted is never taken back', () => {
    for (const status of ['confirmed', 'refused'] as const) {
      const openOperations = [operationRecord({ status })];
      const result = applied(
        paymentIn('processing'),
        { operations: [{ id: 'op_pay', status: 'unknown' }] },
        { openOperations },
      );
      expect(result.operations).toEqual([]);
    }
    const unheard = applied(paymentIn('processing'), { operations: [{ id: 'op_other', status: 'refused' }] });
    expect(unheard.operations).toEqual([]);
  });

  test('a count alone is written, not entered', () => {
    const openOperations = [operationRecord({ type: 'void', formerCount: 1 })];
    const update: PaymentUpdate = { operations: [{ id: 'op_void', status: 'unknown', formerCount: 2 }] };
    const result = applied(paymentIn('succeeded'), update, { openOperations });
    expect(result.operations).toMatchObject([{ formerCount: 2 }]);
    expect(result.timeline).toEqual([]);
  });

  test('the last one settled leaves nothing pending', () => {
    const payment = paymentIn('succeeded', {
      pendingOperation: { type: 'void', since: '' },
      openSince: madeAt,
    });
    const openOperations = [operationRecord({ type: 'void' })];
    const result = applied(
      payment,
      { operations: [{ id: 'op_void', status: 'refused' }] },
      { openOperations },
    );
    expect(result.payment).toMatchObject({
      pendingOperation: null,
      nextStatusCheckAt: null,
      openSince: null,
    });
  });
});

describe('an operation that turns out to be refused', () => {
  const refuses: PaymentUpdate = { operations: [{ id: 'op_complete', status: 'refused' }] };
  const complete = operationRecord({ type: 'complete', amount: 100_000n });

  test('is announced where its caller was told to wait', () => {
    const result = applied(paymentIn('authorized'), refuses, { openOperations: [complete] });
    expect(types(result)).toEqual(['payment.operation_refused']);
    expect(bodies(result)[0]).toMatchObject({
      operation: { type: 'complete', amount: '1000.00' },
      data: { status: 'authorized', pendingOperation: null },
    });
  });

  test('is not, where its caller is told now, where the payment moved, or where it is none of the shop’s', () => {
    const intended = { ...complete, status: 'intended' } as const;
    expect(types(applied(paymentIn('authorized'), refuses, { openOperations: [intended] }))).toEqual([]);
    const moved: PaymentUpdate = { ...refuses, move: { to: 'voided', by: 'gateway' } };
    const result = applied(paymentIn('authorized'), moved, { openOperations: [complete] });
    expect(types(result)).toEqual(['payment.voided']);
    const code: PaymentUpdate = { operations: [{ id: 'op_otp', status: 'refused' }] };
    const otp = operationRecord({ type: 'otp' });
    expect(types(applied(paymentIn('processing'), code, { openOperations: [otp] }))).toEqual([]);
  });

  test('and one that was accepted says since when', () => {
    const accepts: PaymentUpdate = {
      operations: [{ id: 'op_complete', status: 'unknown', accepted: true }],
    };
    const first = applied(paymentIn('authorized'), accepts, { openOperations: [complete] });
    expect(first.operations).toMatchObject([{ acceptedAt: now }]);
    const openOperations = [{ ...complete, acceptedAt: madeAt }];
    expect(applied(paymentIn('authorized'), accepts, { openOperations }).operations).toMatchObject([
      { acceptedAt: madeAt },
    ]);
  });
});

describe('a hold that nobody settles', () => {
  const held = paymentIn('authorized', { heldSince: now - 6 * DAY });

  test('needs attention after 6 days, once', () => {
    const early = applied({ ...held, heldSince: now - 6 * DAY + 1 }, { conclusive: true });
    expect(early.payment.needsAttention).toBe(false);
    const raised = applied(held, { conclusive: true });
    expect(raised.payment).toMatchObject({ needsAttention: true, attentionReason: 'hold_left_alone' });
    expect(types(raised)).toEqual(['payment.needs_attention']);
    const again = applied(raised.payment, { conclusive: true, lifts: ['hold_left_alone'] });
    expect([again.payment.needsAttention, types(again)]).toEqual([true, []]);
  });

  test.each<[PaymentStatus, 'gateway' | 'person']>([
    ['succeeded', 'gateway'],
    ['voided', 'gateway'],
    ['expired', 'gateway'],
    ['failed', 'person'],
  ])('needs none any more when it is %s, by the word of the %s', (to, by) => {
    const raised = applied(held, {}).payment;
    const ended = applied(raised, { move: { to, by }, ...(by === 'person' && { resolved: true }) });
    expect(ended.payment).toMatchObject({ needsAttention: false, attentionReason: null, heldSince: null });
  });

  test('is reckoned from its own beginning, not from that of the payment', () => {
    const late = applied(paymentIn('expired'), { move: { to: 'authorized', by: 'gateway' } });
    expect(late.payment).toMatchObject({ heldSince: now, needsAttention: false });
  });
});

describe('money after a person’s word', () => {
  const resolved = paymentIn('failed', { failure: failure('resolved'), resolvedAt: madeAt });

  test('counts, is announced as late, and needs attention until a person has seen it', () => {
    const result = applied(resolved, { ...succeeds, lifts: ['money_after_resolve'] });
    expect(result.payment).toMatchObject({
      status: 'succeeded',
      needsAttention: true,
      attentionReason: 'money_after_resolve',
    });
    expect(types(result)).toEqual(['payment.succeeded', 'checkout_session.paid', 'payment.needs_attention']);
    // Also in the event of the success itself, which was made before.
    expect(bodies(result)[0]).toMatchObject({
      data: { needsAttention: true, attentionReasons: ['money_after_resolve'] },
    });
    expect(applied(result.payment, { lifts: ['money_after_resolve'] }).payment.needsAttention).toBe(true);
    expect(applied(result.payment, { resolved: true }).payment.needsAttention).toBe(false);
  });
});

describe('attention', () => {
  const dispute: PaymentUpdate = {
    answered: true,
    attention: { reason: 'mismatch', answer: 'succeeded:1:NGN:' },
  };

  test('is raised once, and moves nothing', () => {
    const raised = applied(paymentIn('requires_action'), dispute);
    expect(raised.payment).toMatchObject({
      status: 'requires_action',
      needsAttention: true,
      attentionReason: 'mismatch succeeded:1:NGN:',
    });
    expect([types(raised), entries(raised)]).toEqual([['payment.needs_attention'], ['needs_attention']]);
    const again = applied(raised.payment, dispute);
    expect([types(again), entries(again)]).toEqual([[], []]);
  });

  test('keeps the last disputed answer, for whoever resolves it', () => {
    const first = applied(paymentIn('requires_action'), dispute);
    const other = { ...dispute, attention: { reason: 'mismatch' as const, answer: 'succeeded:2:NGN:' } };
    expect(applied(first.payment, other).payment.attentionReason).toBe('mismatch succeeded:2:NGN:');
    expect(applied(first.payment, {}).payment.attentionReason).toBe('mismatch succeeded:1:NGN:');
  });

  test('has each of its reasons: one more is announced too, and each is lifted alone', () => {
    const first = applied(paymentIn('requires_action'), dispute);
    const second = applied(first.payment, {
      attention: { reason: 'refund_of_unpaid', answer: 'refunded:::' },
    });
    expect([types(second), entries(second)]).toEqual([['payment.needs_attention'], ['needs_attention']]);
    const attentionReasons = ['mismatch', 'refund_of_unpaid'];
    expect(bodies(second)[0]).toMatchObject({ data: { needsAttention: true, attentionReasons } });
    const left = applied(second.payment, { lifts: ['mismatch'] });
    expect(left.payment.attentionReason).toBe('refund_of_unpaid refunded:::');
    expect([types(left), entries(left)]).toEqual([[], []]);
    const none = applied(left.payment, { lifts: ['refund_of_unpaid'] });
    expect([none.payment.attentionReason, entries(none)]).toEqual([null, ['attention_lifted']]);
  });

  test('is lifted where the update says so, and not beside another dispute', () => {
    const payment = paymentIn('requires_action', { needsAttention: true, attentionReason: 'mismatch x' });
    const lifted = applied(payment, { lifts: ['mismatch'] });
    expect(lifted.payment).toMatchObject({ needsAttention: false, attentionReason: null });
    expect(entries(lifted)).toEqual(['attention_lifted']);
    expect(applied(payment, { ...dispute, lifts: ['mismatch'] }).payment.needsAttention).toBe(true);
    expect(applied(payment, { conclusive: true }).payment.needsAttention).toBe(true);
  });

  test('comes after 72 hours without a conclusive answer, and goes with one', () => {
    const payment = paymentIn('processing', { method: 'wallet', openSince: now - 72 * HOUR });
    const early = applied({ ...payment, openSince: now - 72 * HOUR + 1 }, {});
    expect(early.payment.needsAttention).toBe(false);
    const raised = applied(payment, { timelineNote: { type: 'inconclusive' } });
    expect(raised.payment).toMatchObject({ needsAttention: true, attentionReason: 'no_conclusive_answer' });
    expect(types(raised)).toEqual(['payment.needs_attention']);
    const answered = applied(raised.payment, { conclusive: true, waiting: true });
    expect(answered.payment).toMatchObject({ needsAttention: false, openSince: now });
  });

  test('of 72 hours turns into a dispute where one comes, which time does not lift', () => {
    const raised = applied(paymentIn('processing', { openSince: now - DAY * 4 }), {});
    const disputed = applied(raised.payment, dispute);
    expect(applied(disputed.payment, { conclusive: true }).payment.needsAttention).toBe(true);
  });
});

test('what the gateway says again and again stands once, until it says something else', () => {
  const inconclusive: PaymentUpdate = { timelineNote: { type: 'inconclusive', detail: { reason: 'busy' } } };
  const first = applied(paymentIn('processing'), inconclusive);
  const second = applied(first.payment, inconclusive);
  const other = applied(second.payment, { timelineNote: { type: 'not_known' } });
  const third = applied(other.payment, inconclusive);
  expect([first, second, other, third].map(entries)).toEqual([
    ['inconclusive'],
    [],
    ['not_known'],
    ['inconclusive'],
  ]);
  const clear = applied(third.payment, { conclusive: true });
  expect(entries(applied(clear.payment, inconclusive))).toEqual(['inconclusive']);
});

describe('when it is asked about next', () => {
  test('the pauses grow, begin anew with each move, and not with a mere question at once', () => {
    const payment = paymentIn('processing', { statusCheckCount: 4 });
    expect(applied(payment, { scheduled: true }).payment.statusCheckCount).toBe(5);
    // Whoever asks beside the schedule makes it none the slower.
    expect(applied(payment, {}).payment.statusCheckCount).toBe(4);
    expect(applied(payment, { nextAction: { type: 'otp' } }).payment).toMatchObject({
      statusCheckCount: 0,
      nextStatusCheckAt: now + 8 * SECOND,
    });
    const atOnce = applied(paymentIn('requires_action', { statusCheckCount: 4 }), { checkNow: true });
    expect(atOnce.payment.nextStatusCheckAt).toBe(now);
  });

  test.each(['failed', 'succeeded', 'voided'] as const)(
    'rarely after a person’s word that it is %s',
    (to) => {
      const why = to === 'failed' ? { failure: failure('resolved') } : {};
      const update = { move: { to, by: 'person', ...why }, resolved: true } as const;
      const { payment } = applied(paymentIn('processing'), update);
      expect(payment).toMatchObject({ resolvedAt: now, nextStatusCheckAt: now + 2 * MINUTE });
    },
  );

  test('anew once the payer has come back', () => {
    const back = applied(paymentIn('processing', { statusCheckCount: 9 }), { restart: true });
    expect(back.payment).toMatchObject({ statusCheckCount: 0, nextStatusCheckAt: now + SECOND });
  });

  test.each([
    ['an unknown outcome', 'processing', null, 1],
    ['what the payer must do', 'requires_action', null, 3],
    ['a hold', 'authorized', null, 4],
    ['what is closed', 'canceled', null, 4],
    ['what is closed and was notified about', 'canceled', 0, 2],
    ['an unknown outcome that was notified about', 'processing', 2, 2],
  ] as const)('%s has its worth', (_, status, notificationChecks, worth) => {
    const payment = paymentIn(status, { notificationChecks, notificationClaims: null });
    expect(applied(payment, {}).payment.statusCheckWorth).toBe(worth);
  });

  test('a notification’s steps go on beside the payment’s own, and end when the answer agrees', () => {
    const declined = paymentIn('failed', { failure: failure('declined') });
    const told = { ...declined, notificationChecks: 0, notificationClaims: ['succeeded'] };
    const asked = applied(told, { scheduled: true, heard: { meaning: 'failed', scheduled: true } });
    expect(asked.payment).toMatchObject({ notificationChecks: 1, nextStatusCheckAt: now + 2 * SECOND });
    const agreed = applied(told, { heard: { meaning: 'succeeded', scheduled: true } });
    expect(agreed.payment).toMatchObject({ notificationChecks: null, notificationClaims: null });
  });

  test('a notification that came before the answer to its call and says the same is followed by no question', () => {
    const told = paymentIn('processing', { notificationChecks: -1, notificationClaims: ['succeeded'] });
    const paid = applied(told, { move: { to: 'succeeded', by: 'gateway' } }).payment;
    expect(paid).toMatchObject({ notificationChecks: null, statusCheckWorth: 4, nextStatusCheckAt: null });
    const declined = applied(told, { move: { to: 'failed', by: 'gateway', failure: failure('declined') } });
    expect(declined.payment).toMatchObject({ statusCheckWorth: 2, nextStatusCheckAt: now });
  });
});

describe('the lease', () => {
  const payment = paymentRecord({ leaseOwner: 'own_1', leaseUntil: now + SECOND, leaseFence: 3 });

  test('is given back with the write of its holder', () => {
    const given = applied(payment, {}, { lease: { owner: 'own_1', fence: 3 } }).payment;
    expect(given).toMatchObject({ leaseOwner: null, leaseUntil: 0, leaseFence: 3 });
  });

  test.each([
    ['nobody’s', undefined],
    ['an older holding’s', { owner: 'own_1', fence: 2 }],
    ['another one’s', { owner: 'own_2', fence: 3 }],
  ])('is not given back with %s', (_name, lease) => {
    expect(applied(payment, {}, { lease }).payment).toMatchObject({
      leaseOwner: 'own_1',
      leaseUntil: now + SECOND,
    });
  });

  describe('of somebody who may be about to send something', () => {
    const held = { ...paymentIn('succeeded'), leaseOwner: 'own_1', leaseUntil: now + SECOND, leaseFence: 3 };
    const planned = { ...held, nextStatusCheckAt: now + SECOND, statusCheckWorth: 1 };

    test('keeps the question that is asked at its end, where another one writes', () => {
      const { payment } = applied(planned, {}, { lease: { owner: 'own_1', fence: 2 } });
      expect(payment).toMatchObject({ nextStatusCheckAt: now + SECOND, statusCheckWorth: 1 });
    });

    test('keeps no later one than what is written makes due', () => {
      const { payment } = applied(planned, { checkNow: true });
      expect(payment.nextStatusCheckAt).toBe(now);
    });

    test('plans it anew itself', () => {
      const { payment } = applied(planned, {}, { lease: { owner: 'own_1', fence: 3 } });
      expect(payment.nextStatusCheckAt).toBeNull();
    });
  });
});

test('facts: answers, waiting, counts, ends, and what a person says was received', () => {
  const result = applied(paymentIn('processing'), {
    answered: true,
    waiting: true,
    notKnown: true,
    gatewayExpiresAt: now + HOUR,
    captured: 7n,
  });
  expect(result.payment).toMatchObject({
    answered: true,
    waiting: true,
    notKnownCount: 1,
    gatewayExpiresAt: now + HOUR,
    amountCaptured: 7n,
  });
});
