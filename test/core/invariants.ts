import type { Fact } from '../../src/gateway/fact.js';
import type { Decision, Input } from '../../src/payments/core/input.js';
import type { OrderState, Payment, Status } from '../../src/payments/core/payment.js';

/**
 * What must be true of every order and of every step, whatever happened: the contract's principles, reckoned here by themselves.
 * Nothing of the core is used for judging it.
 */

const LIVE: readonly Status[] = ['processing', 'requires_action', 'authorized'];
const CHARGING = ['pay', 'otp', 'pin', 'complete'];
const BLOCKING = ['differs', 'contradicted', 'refund_unexplained'];

/** Movements so far by payment and kind, each `in` above and `out` below zero for corrections. */
export type Ledger = ReadonlyMap<string, Readonly<Record<string, bigint>>>;
export const NO_LEDGER: Ledger = new Map();

export function book(ledger: Ledger, { entries }: Decision): Ledger {
  const moved = entries.filter((entry) => entry.of === 'payment' && entry.money);
  if (moved.length === 0) return ledger;
  const next = new Map(ledger);
  for (const entry of moved) {
    if (entry.of !== 'payment' || !entry.money) continue;
    const { kind, direction, amount } = entry.money;
    const row = { ...next.get(entry.id) };
    const signed = kind === 'correction' && direction === 'out' ? -amount : amount;
    next.set(entry.id, { ...row, [kind]: (row[kind] ?? 0n) + signed });
  }
  return next;
}

export function holds({ captured, refunded, reversed, disputedAmount }: Payment): bigint {
  return captured - refunded - reversed - disputedAmount;
}

/** Why nothing may charge: the payment that pays, or a duplicate that holds money. */
export function paidBy({ order, payments }: OrderState): string | undefined {
  if (!order) return undefined;
  const holding = payments.find((one) => order.duplicates.includes(one.id) && holds(one) > 0n);
  return order.payer ?? holding?.id;
}

/** Everything that is wrong with an order and its ledger. */
export function faultsOf(state: OrderState, ledger: Ledger): string[] {
  const { order, payments } = state;
  if (!order) return [];
  const faults: string[] = [];
  const wrong = (is: boolean, what: string) => {
    if (is) faults.push(what);
  };
  const live = payments.filter(({ status }) => LIVE.includes(status));
  wrong(live.length > 1, 'two live payments');
  wrong(order.live !== (live[0]?.id ?? null), `the order's live payment is not ${live[0]?.id ?? 'none'}`);
  const numbers = payments.map(({ n }) => n);
  wrong(new Set(numbers).size !== numbers.length, 'an N is used twice');
  wrong(Math.max(0, ...numbers) > order.attempts, 'an N beyond the last one');
  for (const one of payments)
    faults.push(...paymentFaults(state, one, ledger).map((fault) => `${one.id}: ${fault}`));
  for (const { id, status, closedReason } of order.sessions) {
    wrong(status === 'paid' && !paysItsSession(state, id), `session ${id} is paid by none of its payments`);
    wrong(
      (status === 'closed') !== (closedReason !== null),
      `session ${id} is ${status} for ${closedReason}`,
    );
  }
  const payer = payments.find(({ id }) => id === order.payer);
  if (order.payer !== null) {
    wrong(payer === undefined, 'the payment that pays is not there');
    const stands =
      payer?.status === 'succeeded' || payments.some((one) => isAttended(one) && holds(one) > 0n);
    wrong(!stands, `paid by ${order.payer}, which is ${payer?.status}, and nobody looks`);
  }
  return faults;
}

function paysItsSession({ order, payments }: OrderState, session: string): boolean {
  return payments.some(({ id, sessionId }) => id === order?.payer && sessionId === session);
}

function isAttended({ attention }: Payment): boolean {
  return attention.length > 0;
}

function paymentFaults({ order }: OrderState, payment: Payment, ledger: Ledger): string[] {
  const faults: string[] = [];
  const wrong = (is: boolean, what: string) => {
    if (is) faults.push(what);
  };
  const of = (kind: string): bigint => ledger.get(payment.id)?.[kind] ?? 0n;
  wrong(payment.captured !== of('payment') + of('correction'), `captured ${payment.captured}`);
  wrong(payment.refunded !== of('refund') - of('refund_reversal'), `refunded ${payment.refunded}`);
  wrong(payment.reversed !== of('void') - of('void_reversal'), `reversed ${payment.reversed}`);
  wrong(
    payment.disputedAmount !== of('chargeback') - of('chargeback_reversal'),
    `disputed ${payment.disputedAmount}`,
  );
  wrong(
    payment.captured < 0n || payment.refunded < 0n || payment.disputedAmount < 0n,
    'an amount below zero',
  );
  const open = payment.operations.filter(({ state }) => state === 'intended' || state === 'unknown');
  wrong(open.length > 1, `open operations: ${open.map(({ type }) => type).join(', ')}`);
  const money = holds(payment) > 0n;
  wrong(money && payment.status !== 'succeeded', `${payment.status} holds money`);
  const isDuplicate = order?.duplicates.includes(payment.id) ?? false;
  wrong(
    isDuplicate !== (payment.duplicateOf !== null),
    'a duplicate of none, or one that the order does not name',
  );
  wrong(payment.id === order?.payer && isDuplicate, 'it pays, and is a duplicate');
  wrong(
    money && payment.id !== order?.payer && !isDuplicate,
    'holds money, but neither pays nor is a duplicate',
  );
  const attended = payment.attention.some(({ reason }) => reason === 'duplicate');
  wrong(
    attended !== (isDuplicate && money),
    `duplicate with money: ${isDuplicate && money}, attention: ${attended}`,
  );
  const given = payment.attention.map(({ reason }) => reason);
  wrong(new Set(given).size !== given.length, 'a reason stands twice');
  wrong(
    payment.nextAction !== null && payment.status !== 'requires_action',
    'an action that nobody waits for',
  );
  wrong(payment.status === 'failed' && payment.failure === null, 'failed without a failure');
  return faults;
}

/** Where a status may go by the gateway's word or our own conclusion (the table). A person may move it anywhere that is final. */
const MOVES: Record<Status, readonly Status[]> = {
  processing: ['requires_action', 'authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  requires_action: ['authorized', 'succeeded', 'failed', 'canceled', 'expired', 'voided'],
  authorized: ['succeeded', 'expired', 'voided'],
  succeeded: ['voided'],
  failed: ['authorized', 'succeeded', 'voided'],
  canceled: ['authorized', 'succeeded', 'voided'],
  expired: ['authorized', 'succeeded', 'voided'],
  voided: [],
};
/** Whether a status may go there by anything but a person's word. */
export function mayMove(from: Status, to: Status): boolean {
  return MOVES[from].includes(to);
}

/** Facts that count without the lease (P6), and what they may move to. */
const MONEY: readonly Fact['is'][] = ['paid', 'held', 'givenBack', 'chargedBack', 'disputeWon', 'refundDone'];

/** Everything that is wrong with a step. */
export function stepFaults(before: OrderState, input: Input, decision: Decision): string[] {
  const faults: string[] = [];
  const wrong = (is: boolean, what: string) => {
    if (is) faults.push(what);
  };
  const { state, entries, effects } = decision;
  const was = (id: string) => before.payments.find((payment) => payment.id === id);
  for (const entry of entries) {
    if (entry.of !== 'payment' || entry.line.type !== 'moved') continue;
    const { from, to } = entry.line;
    if (!from || !to) continue;
    const person = input.by === 'person' && ['succeeded', 'failed', 'voided'].includes(to);
    wrong(!person && !MOVES[from].includes(to), `${from} → ${to}`);
    wrong(
      input.by === 'notification' || input.by === 'orphan' || input.by === 'clock',
      `${input.by} moved a status`,
    );
  }
  if (input.by === 'answer' && !input.owned && !MONEY.includes(input.fact.is)) {
    wrong(
      state.payments.some((one) => one.status !== was(one.id)?.status),
      'moved without the lease',
    );
    wrong(
      state.payments.some((one) => one.attention.length > (was(one.id)?.attention.length ?? 0)),
      'given to a person without the lease',
    );
  }
  for (const effect of effects) {
    wrong(input.by !== 'command', `sent by ${input.by}`);
    if (CHARGING.includes(effect.operation.type))
      wrong(paidBy(before) !== undefined, `${effect.operation.type} of a paid order`);
    wrong(
      before.payments.some(({ attention }) => attention.some(({ reason }) => BLOCKING.includes(reason))),
      'sent for a blocked order',
    );
    const recorded = state.payments.some(({ operations }) =>
      operations.some(({ id, state: at }) => id === effect.operation.id && at === 'intended'),
    );
    wrong(!recorded, 'sent without an intent');
    if (effect.operation.type === 'pay')
      wrong(
        before.payments.some(({ status }) => LIVE.includes(status)),
        'a start beside a live payment',
      );
  }
  for (const one of state.payments) {
    const told = entries.filter((entry) => entry.id === one.id && entry.announce).length;
    wrong(one.sequence !== (was(one.id)?.sequence ?? 0) + told, `${one.id}: its events are not counted`);
    wrong(one.n < (was(one.id)?.n ?? one.n), 'an N changed');
  }
  for (const one of state.order?.sessions ?? []) {
    const former = before.order?.sessions.find(({ id }) => id === one.id);
    const told = entries.filter((entry) => entry.id === one.id && entry.announce).length;
    wrong(one.sequence !== (former?.sequence ?? 0) + told, `${one.id}: its events are not counted`);
    const expired = former?.status === 'open' && one.status === 'expired';
    wrong(
      expired &&
        state.payments.some(({ sessionId, status }) => sessionId === one.id && LIVE.includes(status)),
      'a session expired while a payment of it was live',
    );
    wrong(
      former !== undefined && former.status !== one.status && told === 0,
      `session ${one.id} moved without an event`,
    );
  }
  const stays = state.payments.some((one) => state.order?.duplicates.includes(one.id) && holds(one) > 0n);
  wrong(
    before.order?.payer != null && state.order?.payer === null && stays,
    'paid no more, while a duplicate holds money',
  );
  wrong((state.order?.attempts ?? 0) < (before.order?.attempts ?? 0), 'N went back');
  return faults;
}
