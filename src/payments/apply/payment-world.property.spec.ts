import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayAnswer, GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import type { PaymentMethod, PaymentRecord, PaymentStatus } from '../../store/schema.js';
import { GRACE_MS, PaymentWorld, type Step } from '../../../test/harness/payment-world.js';
import { MINUTE } from '../../../test/harness/records.js';
import { mismatches } from '../interpret/answer.js';
import { isClosedUnpaid, isLive } from '../state/payment-state.js';

/** Whatever happens to an order, in whatever order: what the pure parts of the service may never do. */

/** Values with how often each is drawn. */
function weighted<T>(...choices: [number, T][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

const meaning = weighted<GatewayMeaning>(
  [6, 'succeeded'],
  [5, 'authorized'],
  [3, 'failed'],
  [2, 'expired'],
  [2, 'voided'],
  [6, 'processing'],
  [5, 'otp'],
  [4, 'redirect'],
  [3, 'unknownTransaction'],
  [1, 'undecided'],
  [1, 'refused'],
);

const answer: fc.Arbitrary<GatewayAnswer> = fc
  .record({
    meaning,
    money: weighted<Partial<GatewayAnswer>>(
      [20, { amount: 150_000n, currency: 'NGN' }],
      [10, {}],
      [2, { amount: 100_000n, currency: 'NGN' }],
      [1, { amount: 150_000n, currency: 'USD' }],
      [1, { amount: 'unreadable' }],
      [1, { reference: 'OTHER_1' }],
    ),
    redirectUrl: weighted([5, 'https://bank.example/'], [1, 'http://bank.example/'], [1, undefined]),
    filled: fc.boolean(),
    amountRequired: weighted([9, false], [1, true]),
    transactionRef: fc.constantFrom('T1', 'T2', undefined),
  })
  .map(({ money, filled, ...rest }) => ({
    ...rest,
    ...money,
    ...(filled && { accountNumber: '0123456789', bankName: 'Bank', ussdCode: '*1#' }),
  }));

const result: fc.Arbitrary<GatewayResult> = fc.oneof(
  { weight: 12, arbitrary: answer.map((one): GatewayResult => ({ kind: 'answered', answer: one })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<GatewayResult[]>(
      { kind: 'not-sent', reason: 'abandoned' },
      { kind: 'rejected', status: 400 },
      { kind: 'credentials-rejected', status: 401 },
      { kind: 'busy' },
      { kind: 'unknown', reason: 'timeout' },
    ),
  },
);

type Action = (world: PaymentWorld) => void;

const method = fc.constantFrom<PaymentMethod[]>('card', 'card', 'wallet', 'transfer', 'ussd');

/** One of the payments there are. */
const onPayment = (act: (world: PaymentWorld, id: string) => void) =>
  fc.nat(5).map((index): Action => (world) => {
    const ids = [...world.payments.keys()];
    const id = ids[index % Math.max(ids.length, 1)];
    if (id !== undefined) act(world, id);
  });

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: method.map(
      (one): Action =>
        (world) =>
          void world.begin(one),
    ),
  },
  { weight: 6, arbitrary: result.chain((one) => onPayment((world, id) => world.answer(id, one))) },
  { weight: 6, arbitrary: result.chain((one) => onPayment((world, id) => world.ask(id, one))) },
  { weight: 3, arbitrary: result.chain((one) => onPayment((world, id) => world.cancel(id, one))) },
  { weight: 1, arbitrary: onPayment((world, id) => world.crash(id)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('otp', 'complete', 'void'), fc.constantFrom(null, 100_000n, 150_000n))
      .chain(([type, amount]) => onPayment((world, id) => world.intend(id, type, amount))),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        status: fc.constantFrom('succeeded', 'failed', 'voided'),
        amountReceived: fc.constantFrom(undefined, 140_000n),
        note: fc.constant('x'),
      })
      .chain((resolution) => onPayment((world, id) => world.resolve(id, resolution))),
  },
  {
    weight: 2,
    arbitrary: weighted([8, 1], [8, 5_000], [4, GRACE_MS], [2, 31 * MINUTE], [1, 80 * 60 * MINUTE]).map(
      (step): Action =>
        (world) =>
          void (world.now += step),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Action>((world) => world.endSession()) },
  { weight: 1, arbitrary: fc.constant<Action>((world) => world.closeSession()) },
  { weight: 2, arbitrary: fc.constant<Action>((world) => world.newSession()) },
);

const from: Record<PaymentStatus, PaymentStatus[]> = {
  // `canceled`: by the payer's word, once the gateway has said that it waits.
  processing: ['requires_action', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  requires_action: ['processing', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  // `failed`: by a person's.
  authorized: ['succeeded', 'voided', 'expired', 'failed'],
  succeeded: ['voided'],
  failed: ['authorized', 'succeeded', 'voided'],
  canceled: ['authorized', 'succeeded', 'voided'],
  expired: ['authorized', 'succeeded', 'voided'],
  voided: [],
};

/** Cheaper than a matcher, for what is looked at after every step. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function isGapless(numbers: number[]): boolean {
  return numbers.every((number, index) => number === index + 1);
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

/** Whether an answer is an explicit success with money that could be this payment's. */
function isSuccess({ cause, before, open }: Step): boolean {
  if (cause.by !== 'answer' || cause.result.kind !== 'answered') return false;
  const { answer: said } = cause.result;
  const amounts = open.flatMap(({ type, amount }) =>
    type === 'complete' && amount !== null ? [amount] : [],
  );
  return said.meaning === 'succeeded' && mismatches(said, before, [before.amount, ...amounts]).length === 0;
}

function checkMoves(world: PaymentWorld): void {
  for (const payment of world.payments.values()) {
    let status: PaymentStatus = 'processing';
    for (const entry of world.timeline) {
      if (entry.paymentId !== payment.id || entry.type !== 'status_changed') continue;
      expect(entry.fromStatus).toBe(status);
      expect(from[status]).toContain(entry.toStatus);
      expect(entry.late).toBe(isClosedUnpaid(status));
      status = entry.toStatus ?? status;
    }
    expect(payment.status).toBe(status);
  }
}

function checkSequences(world: PaymentWorld): void {
  const eventsOf = (id: string) =>
    world.events.filter(({ aggregateId }) => aggregateId === id).map(({ sequence }) => sequence);
  for (const { id, timelineSequence, eventSequence } of world.payments.values()) {
    const entries = world.timeline
      .filter(({ paymentId }) => paymentId === id)
      .map(({ sequence }) => sequence);
    must(isGapless(entries) && entries.length === timelineSequence, `timeline ${entries.join()}`);
    must(isGapless(eventsOf(id)) && eventsOf(id).length === eventSequence, `events ${eventsOf(id).join()}`);
  }
  for (const { id, eventSequence } of world.sessions.values()) {
    const ofSession = eventsOf(id);
    must(isGapless(ofSession) && ofSession.length === eventSequence, 'events of the session');
  }
}

function checkReference({ reference, payments, sessions }: PaymentWorld): void {
  const ids = (wanted: (payment: PaymentRecord) => boolean) =>
    [...payments.values()].flatMap((payment) => (wanted(payment) ? [payment.id] : []));
  const live = ids(({ status }) => isLive(status));
  must(live.length <= 1, 'one live payment');
  must(sameMembers(reference.livePaymentIds, live), 'the live ones');
  must(
    sameMembers(
      reference.paidPaymentIds,
      ids(({ status }) => status === 'succeeded'),
    ),
    'the paid ones',
  );
  must(reference.attempts === payments.size, 'every payment counted');
  const names = new Set([...payments.values()].map(({ gatewayReference }) => gatewayReference));
  must(names.size === payments.size, 'no reference used twice');
  // Of the paid ones exactly one pays the reference; its session is paid, and no other.
  const [payer] = reference.paidPaymentIds;
  const paying = ids(({ status, duplicateOf }) => status === 'succeeded' && duplicateOf === null);
  must(sameMembers(paying, payer === undefined ? [] : [payer]), 'one that pays');
  const duplicates = ids(({ status, duplicateOf }) => status === 'succeeded' && duplicateOf === payer);
  must(duplicates.length === Math.max(0, reference.paidPaymentIds.length - 1), 'duplicates of that one');
  const paidSessions = [...sessions.values()].filter(({ status }) => status === 'paid').map(({ id }) => id);
  const owner = payer === undefined ? undefined : payments.get(payer)?.sessionId;
  must(sameMembers(paidSessions, owner === undefined ? [] : [owner]), 'the session that is paid');
}

/** What the shop heard last of each session and payment tells it whether the order is paid, and by which payment. */
function checkAnnouncements(world: PaymentWorld): void {
  const last = (id: string, types: string[]) =>
    world.events.findLast(({ aggregateId, type }) => aggregateId === id && types.includes(type))?.type;
  for (const { id, status } of world.sessions.values()) {
    const said = last(id, ['checkout_session.paid', 'checkout_session.closed', 'checkout_session.expired']);
    must(said === (status === 'open' ? undefined : `checkout_session.${status}`), 'the session as announced');
  }
  for (const { id, status, duplicateOf } of world.payments.values()) {
    if (status !== 'succeeded') continue;
    const said = last(id, ['payment.succeeded', 'payment.duplicate', 'payment.voided']);
    must(
      said === (duplicateOf === null ? 'payment.succeeded' : 'payment.duplicate'),
      'the payer as announced',
    );
  }
}

function checkRows(world: PaymentWorld): void {
  for (const payment of world.payments.values()) {
    const pending = world.openOf(payment.id).find(({ status }) => status === 'unknown');
    must((payment.nextAction !== null) === (payment.status === 'requires_action'), 'next action');
    must((payment.failure !== null) === isClosedUnpaid(payment.status), 'failure');
    must(payment.pendingOperation?.type === pending?.type, 'pending operation');
    must(payment.status !== 'succeeded' || payment.amountCaptured !== null, 'captured amount');
    must(payment.status !== 'authorized' || payment.amountAuthorized === payment.amount, 'authorized amount');
    must(
      payment.nextStatusCheckAt !== null || !(isLive(payment.status) || pending),
      'whatever is open is asked about',
    );
  }
}

function checkMoney(world: PaymentWorld): void {
  for (const step of world.steps) {
    const { before, after, cause, open } = step;
    must(after.version === before.version + 1, 'version');
    const newlyPaid = after.status === 'succeeded' && before.status !== 'succeeded';
    must(
      !newlyPaid || cause.by === 'person' || isSuccess(step),
      'nothing is paid without an explicit success',
    );
    must(
      before.status !== 'succeeded' || ['succeeded', 'voided'].includes(after.status),
      'money is not lost',
    );
    const asked = cause.by === 'answer' && cause.to === 'question';
    const completes = open.some(({ type }) => type === 'complete');
    // Once the gateway has said that it is paid, that is so, or a person must look, or has looked.
    const said = asked && isSuccess(step) && !completes && after.status !== 'succeeded';
    must(!said || after.needsAttention || after.settledAnswer !== null, 'a success that is not heard');
    const ours = cause.by === 'clock' || cause.by === 'cancel';
    const nothingAsked =
      ours && cause.result.kind === 'answered' && cause.result.answer.meaning === 'processing';
    const charged = before.method === 'card' && before.status === 'processing' && nothingAsked;
    must(!charged, 'a card that is being charged ends on the gateway’s or a person’s word');
    const held = before.status === 'authorized';
    must(!held || after.status !== 'expired' || cause.by === 'answer', 'a hold ends on the gateway’s word');
    must(!held || after.status !== 'failed' || cause.by === 'person', 'a hold fails on a person’s word');
  }
}

test('no sequence of answers, crashes, cancellations, words and clocks does what may never be', () => {
  fc.assert(
    fc.property(
      method,
      result,
      fc.array(action, { minLength: 1, maxLength: 30, size: 'max' }),
      (first, firstResult, actions) => {
        const world = new PaymentWorld();
        const begun = world.begin(first);
        if (begun) world.answer(begun.id, firstResult);
        for (const act of actions) {
          act(world);
          checkReference(world);
          checkRows(world);
        }
        checkMoves(world);
        checkSequences(world);
        checkAnnouncements(world);
        checkMoney(world);
      },
    ),
    { numRuns: 1_000 },
  );
}, 60_000);
