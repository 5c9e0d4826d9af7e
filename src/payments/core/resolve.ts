import { formatMajor } from '../../money/money.js';
import { ended } from './answers.js';
import type { Draft } from './draft.js';
import { announceSuccess, closeSession, payFor, settle, succeeded } from './orders.js';
import { endUnpaid, RESOLVED, voided } from './facts.js';
import type { Resolution } from './input.js';
import {
  holdsMoney,
  moneyHeld,
  openOperation,
  type Operation,
  type Payment,
  type Status,
} from './payment.js';
import { successAmounts } from './expected.js';
import { disputeWon, refundDone, refundFailed } from './refunds.js';
import { Refusal } from './refusal.js';

/** A person's recorded word closes what the machine cannot. Throws `Refusal` where it is not allowed. */
export function resolve(draft: Draft, payment: Payment, as: Resolution, note: string): void {
  const open = openOperation(payment);
  if (open?.state === 'intended')
    throw new Refusal('operation-in-progress', 'An operation of this payment is being sent.', payment.id);
  if ('refundId' in as) resolveRefund(draft, payment, as.refundId, as.status);
  else if ('operation' in as) resolveOperation(draft, payment, as.operation);
  else resolveStatus(draft, payment, as.status, as.amountReceived);
  draft.say(payment, 'resolved', { announce: 'resolved', detail: { note } });
  settle(draft);
}

function resolveRefund(draft: Draft, payment: Payment, id: string, status: 'succeeded' | 'failed'): void {
  const refund = payment.operations.find((one) => one.id === id && one.type === 'refund');
  if (!refund) throw new Refusal('not-found', 'There is no such refund.', payment.id);
  if (refund.state === 'refused') {
    if (status === 'succeeded')
      throw new Refusal('invalid-state', 'A failed refund cannot be made to have succeeded.', payment.id);
    return;
  }
  if (payment.status !== 'succeeded') endWithoutMoney(draft, payment, refund, status);
  else if (status === 'failed') refundFailed(draft, payment, refund, true);
  else if (refund.state === 'unknown') refundDone(draft, payment, refund, undefined, true);
}

/** Of a payment that the store lost, and whose sale the ledger has not: there is nothing that the refund could take out of it. */
function endWithoutMoney(
  draft: Draft,
  payment: Payment,
  refund: Operation,
  status: 'succeeded' | 'failed',
): void {
  if (refund.state !== 'unknown')
    throw new Refusal('invalid-state', 'Only a refund of a succeeded payment can be resolved.', payment.id);
  if (status === 'failed') return refundFailed(draft, payment, refund, true);
  Object.assign(refund, { state: 'confirmed', endedAt: draft.now });
  draft.end(payment, ['operation_unknown']);
  draft.say(payment, 'confirmed', { detail: { operation: 'refund' } });
}

function resolveOperation(draft: Draft, payment: Payment, outcome: 'confirmed' | 'refused'): void {
  const open = openOperation(payment);
  if (open?.state !== 'unknown' || (open.type !== 'complete' && open.type !== 'void'))
    throw new Refusal(
      'invalid-state',
      'No completion or void of this payment has an unknown outcome.',
      payment.id,
    );
  if (outcome === 'confirmed') {
    if (open.type === 'void') voided(draft, payment, true);
    else {
      const [expected] = successAmounts(payment);
      receive(draft, payment, expected, expected);
    }
  }
  ended(draft, payment, open, outcome);
}

function resolveStatus(
  draft: Draft,
  payment: Payment,
  status: Status,
  amountReceived: bigint | undefined,
): void {
  const open = openOperation(payment);
  if (payment.attention.length === 0)
    throw new Refusal('invalid-state', 'This payment needs no attention.', payment.id);
  if (open?.type === 'refund')
    throw new Refusal('operation-in-progress', 'A refund is open: resolve it first.', payment.id);
  const takesOver = status === 'succeeded' && mayTakeOver(draft, payment);
  const says = amountReceived !== undefined || (takesOver && holdsMoney(payment));
  if (status === payment.status && !says) return asItIs(draft, payment);
  if (status !== payment.status && status !== 'succeeded' && status !== 'failed' && status !== 'voided')
    throw new Refusal(
      'invalid-state',
      'A payment is resolved as succeeded, failed, voided, or as it is.',
      payment.id,
    );
  if (amountReceived !== undefined && status !== 'succeeded')
    throw new Refusal(
      'validation-failed',
      'Only a succeeded payment has received an amount.',
      payment.id,
      '/amountReceived',
    );
  const [expected] = successAmounts(payment);
  endOpen(draft, payment, status);
  if (status === 'succeeded')
    receive(
      draft,
      payment,
      amountReceived ?? (payment.status === 'succeeded' ? payment.captured : expected),
      expected,
    );
  else if (status === 'failed') takeOut(draft, payment);
  else if (status === 'voided' && payment.status !== 'voided') voided(draft, payment, true);
  if (takesOver && holdsMoney(payment)) takeOver(draft, payment);
  attended(draft, payment);
}

/** The payment stays as it is: attention ends, but for an open operation that nobody can tell about. */
function asItIs(draft: Draft, payment: Payment): void {
  if (payment.attention.every(({ reason }) => reason === 'duplicate'))
    throw new Refusal(
      'invalid-state',
      'A duplicate needs to be voided or refunded while it holds money.',
      payment.id,
    );
  attended(draft, payment, true);
}

/** The same word raises no attention again until the gateway's word moves money. */
function attended(draft: Draft, payment: Payment, keepOperation = false): void {
  const ending = payment.attention.filter(
    ({ reason }) => reason !== 'duplicate' && !(keepOperation && reason === 'operation_unknown'),
  );
  payment.resolvedWords.push(...ending.map(({ word }) => word));
  draft.end(
    payment,
    ending.map(({ reason }) => reason),
  );
}

function endOpen(draft: Draft, payment: Payment, status: Status): void {
  const open = openOperation(payment);
  if (!open) return;
  const confirmed: Record<string, boolean> = {
    pay: true,
    otp: true,
    pin: true,
    complete: status === 'succeeded',
    void: status === 'voided',
  };
  ended(draft, payment, open, confirmed[open.type] ? 'confirmed' : 'refused');
}

/** A person says what was received; `expected` is what the gateway's word would have entered. */
function receive(draft: Draft, payment: Payment, amount: bigint, expected: bigint): void {
  if (payment.disputed) disputeWon(draft, payment, true);
  if (payment.status !== 'succeeded') becomePaid(draft, payment, amount);
  if (amount !== payment.captured) correct(draft, payment, amount - payment.captured);
  payment.corrected = amount - expected;
}

/** Enters the sale, where nothing of it stands in the ledger. */
function becomePaid(draft: Draft, payment: Payment, amount: bigint): void {
  if (payment.reversed > 0n) undoReversal(draft, payment);
  const role = succeeded(draft, payment);
  payment.failure = null;
  payment.paidAt ??= draft.now;
  const sale = payment.captured === 0n;
  if (sale) payment.captured = amount;
  draft.move(payment, 'succeeded', {
    ...(sale ? { money: draft.money(payment, 'payment', 'in', amount, { person: true }) } : {}),
    ...(role === 'pays' ? { announce: 'succeeded' as const } : {}),
  });
  announceSuccess(draft, payment, role, false);
}

function undoReversal(draft: Draft, payment: Payment): void {
  const amount = payment.reversed;
  payment.reversed = 0n;
  draft.say(payment, 'corrected', {
    money: draft.money(payment, 'void_reversal', 'in', amount, { person: true }),
    detail: { amount: formatMajor(amount, payment.currency) },
  });
}

/** An entry that corrects what was captured. */
function correct(draft: Draft, payment: Payment, difference: bigint): void {
  const amount = difference < 0n ? -difference : difference;
  const direction = difference < 0n ? 'out' : 'in';
  payment.captured += difference;
  payment.corrected += difference;
  draft.say(payment, 'corrected', {
    money: draft.money(payment, 'correction', direction, amount, { person: true }),
    detail: { amount: formatMajor(amount, payment.currency), direction },
  });
}

/** Not paid after all: what it holds leaves the ledger. */
function takeOut(draft: Draft, payment: Payment): void {
  if (holdsMoney(payment)) correct(draft, payment, -moneyHeld(payment));
  if (payment.status === 'failed') return;
  endUnpaid(draft, payment, 'failed', RESOLVED);
}

/** A duplicate may become the payment that pays once none that holds money does (P5). */
function mayTakeOver(draft: Draft, payment: Payment): boolean {
  const { payer } = draft.order;
  return payment.duplicateOf !== null && (payer === null || !holdsMoney(draft.look(payer)));
}

function takeOver(draft: Draft, payment: Payment): void {
  const { order } = draft;
  const former = order.payer === null ? undefined : draft.payment(order.payer);
  order.payer = payment.id;
  payment.duplicateOf = null;
  order.duplicates = order.duplicates.filter((id) => id !== payment.id);
  if (former) order.duplicates.push(former.id);
  for (const id of order.duplicates) draft.payment(id).duplicateOf = payment.id;
  draft.end(payment, ['duplicate']);
  payFor(draft, payment, false);
  if (former && former.sessionId !== payment.sessionId) closeSession(draft, former.sessionId, 'voided');
}
