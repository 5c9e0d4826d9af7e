import { test } from '@jest/globals';
import fc from 'fast-check';
import { PaymentWorld } from '../../../test/harness/payment-world.js';
import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { EventRecord, PaymentRecord } from '../../store/schema.js';
import { policyObstacle } from './void.js';
import { isAnnounced } from '../state/payment-state.js';
import { reasonsOf } from '../state/attention.js';
import { countedAmounts, holdsMoney, takenBackTwice } from '../state/money-held.js';

/** Whatever the gateway and people say of money that comes, goes back and comes again: what the shop must have been told of it. */

const answer: fc.Arbitrary<GatewayAnswer> = fc.record({
  meaning: fc.constantFrom(
    ...(['succeeded', 'succeeded', 'refunded', 'partiallyRefunded', 'chargedBack', 'chargedBack'] as const),
    ...(['disputeWon', 'disputeWon', 'voided', 'failed', 'authorized', 'processing', 'undecided'] as const),
  ),
  amountRequired: fc.constant(false),
  transactionRef: fc.constantFrom('T1', 'T2'),
  refundedAmount: fc.constantFrom(undefined, undefined, 0n, 50_000n, 150_000n),
  disputedAmount: fc.constantFrom(undefined, undefined, 40_000n, 120_000n),
  endsDispute: fc.constantFrom(undefined, true as const),
});

const resolution = fc.record({
  status: fc.constantFrom('succeeded', 'succeeded', 'failed', 'voided'),
  amountReceived: fc.constantFrom(undefined, undefined, 40_000n, 150_000n),
  note: fc.constant('x'),
});

const on = fc.nat(3);
const action = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('ask' as const), on, answer }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resolve' as const), on, resolution }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), on }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'close' as const, 'wait' as const) }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

const WAITING: GatewayAnswer = { meaning: 'processing', amountRequired: false };

function act(world: PaymentWorld, one: Action): void {
  if (one.do === 'close') world.closeSession();
  if (one.do === 'wait') world.now += 60_000;
  if (one.do === 'pay') {
    world.newSession();
    world.begin('wallet');
  }
  if (!('on' in one)) return;
  const id = [...world.payments.keys()][one.on % world.payments.size] ?? '';
  if (one.do === 'ask') world.ask(id, { kind: 'answered', answer: one.answer });
  if (one.do === 'resolve') world.resolve(id, one.resolution);
  if (one.do === 'cancel') world.cancel(id, { kind: 'answered', answer: WAITING });
}

const ABOUT_REFUND = ['payment.refunded', 'payment.refund_failed'];
const ABOUT_DISPUTE = ['payment.disputed', 'payment.dispute_won'];

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** What an action did to one payment is told by the events of that action. */
function checkTold(
  before: PaymentRecord | undefined,
  after: PaymentRecord,
  events: readonly EventRecord[],
): void {
  const told = events.flatMap(({ aggregateId, type }) => (aggregateId === after.id ? [String(type)] : []));
  const says = (types: readonly string[]): boolean => types.some((type) => told.includes(type));
  const moved = before !== undefined && before.status !== after.status && after.status !== 'processing';
  const own =
    after.status === 'succeeded' ? ['payment.succeeded', 'payment.duplicate'] : [`payment.${after.status}`];
  const back = after.status === 'succeeded' && !holdsMoney(after) ? [...ABOUT_REFUND, ...ABOUT_DISPUTE] : own;
  must(!moved || says(back), `${before?.status} to ${after.status} is told by ${told.join()}`);
  if (!before) return;
  const refunds = before.amountRefunded !== after.amountRefunded;
  must(!refunds || says([...ABOUT_REFUND, ...own]), 'what was given back is told');
  const disputes = before.disputed !== after.disputed || before.amountDisputed !== after.amountDisputed;
  must(!disputes || says([...ABOUT_DISPUTE, ...own]), 'what was charged back is told');
  const reasons = reasonsOf(after).filter((reason) => !reasonsOf(before).includes(reason));
  must(reasons.length === 0 || says(['payment.needs_attention']), 'each reason for attention is told');
}

/** What was taken, given back and charged back of a payment are the sums of its movements. */
function checkMovements(world: PaymentWorld, payment: PaymentRecord): void {
  const sums = { captured: 0n, refunded: 0n, disputed: 0n, voided: 0n };
  for (const { kind, amount, direction } of world.movements.get(payment.id) ?? []) {
    must(amount > 0n, 'a movement moves something');
    const signed = direction === 'in' ? amount : -amount;
    if (kind === 'payment' || kind === 'correction') sums.captured += signed;
    else if (kind === 'refund' || kind === 'refund_reversal') sums.refunded -= signed;
    else if (kind === 'chargeback' || kind === 'chargeback_reversal') sums.disputed -= signed;
    else sums.voided -= signed;
  }
  const { captured, refunded, disputed } = countedAmounts(payment);
  must(sums.captured === (captured ?? 0n), 'what was taken is the sum of its movements');
  must(sums.refunded === (refunded ?? 0n), 'what was given back is the sum of its movements');
  must(sums.disputed === (disputed ?? 0n), 'what was charged back is the sum of its movements');
  must(sums.voided === 0n || payment.status === 'voided', 'only a void takes the rest');
}

function checkPlaces(world: PaymentWorld, events: readonly EventRecord[]): void {
  for (const { type, data } of events) {
    if (type !== 'payment.succeeded') continue;
    const said = JSON.parse(data) as {
      amountCaptured: string;
      amountRefunded: string | null;
      disputed: boolean;
    };
    must(Number(said.amountRefunded ?? 0) < Number(said.amountCaptured), 'who pays holds money');
  }
  const holding = [...world.payments.values()].filter(holdsMoney);
  const paying = holding.filter(({ duplicateOf }) => duplicateOf === null);
  must(paying.length <= 1, 'one pays');
  for (const payment of world.payments.values()) {
    const { id, resolvedAt, needsAttention } = payment;
    const isTwice = payment.status === 'succeeded' && takenBackTwice(payment) > 0n;
    must(!isTwice || needsAttention || resolvedAt !== null, 'nothing goes back twice without a person');
    const heard = world.events.some(
      ({ aggregateId, type }) => aggregateId === id && type === 'payment.succeeded',
    );
    must(payment.status !== 'succeeded' || heard === isAnnounced(payment), 'what the shop was told is known');
    if (!heard || !holdsMoney(payment)) continue;
    const { session, reference } = world;
    const paidBeside = world.paidBeside(id);
    const rows = { payment, session, reference, openOperations: [], paidBeside };
    must(policyObstacle(rows) !== undefined, 'the policy voids none that was announced as paying');
  }
}

test('the shop is told of each move, of all money and of each reason for attention, and who pays holds money', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 3, maxLength: 25, size: 'max' }), (actions) => {
      const world = new PaymentWorld();
      world.begin('wallet');
      for (const one of actions) {
        const before = new Map(world.payments);
        const known = world.events.length;
        act(world, one);
        const events = world.events.slice(known);
        for (const after of world.payments.values()) {
          checkTold(before.get(after.id), after, events);
          checkMovements(world, after);
        }
        checkPlaces(world, events);
      }
    }),
    { numRuns: 1_500 },
  );
}, 60_000);
