import type { Draft } from './draft.js';
import { isRestOfHold, isWhole, successAmounts } from './expected.js';
import { moveOf, rowOf, saysMoney, type Judged, type Move } from './moves.js';
import { announceSuccess, endedUnpaid, paidBy, settle, succeeded } from './orders.js';
import { moneyHeld, openOperation, type Failure, type Payment } from './payment.js';
import { afterwards, gatewaysOwnRefund, refundedSoFar } from './refunds.js';

/** Ends that the gateway did not name. The message may be shown to a payer. */
const failure = (code: Failure['code'], message: string, retryable = false): Failure => ({
  ...{ code, message, retryable },
  ...{ reason: null, gatewayCode: null },
});
export const EXPIRED = failure('expired', 'The time to pay is over.');
export const CANCELED = failure('canceled', 'The payment was canceled.');
export const RESOLVED = failure('resolved', 'The payment was not completed.');
const NEVER_RECEIVED = failure(
  'gateway_never_received',
  'The payment did not reach the bank. You have not been charged.',
  true,
);

/** Moves a payment by one fact, along the table and nowhere else. Facts about an operation alone move nothing here. */
export function applyFact(draft: Draft, payment: Payment, fact: Judged): void {
  if (fact.is === 'foreign') return draft.person(payment, 'differs', fact.differs);
  learn(payment, fact);
  if (fact.is === 'reversed' && fact.amount !== undefined) {
    const isAll = isWhole(payment, fact.amount);
    // A hold's rest may be just as much as what was captured: our own void tells them apart.
    if (isRestOfHold(payment, fact.amount) && !(isAll && openOperation(payment)?.type === 'void')) return;
    if (!isAll) return partlyReversed(draft, payment, fact.amount);
  }
  const row = rowOf(fact, payment.disputed);
  if (!row) return;
  const move = moveOf(row, payment.status);
  if (move === 'none') return;
  if (!draft.owned && !saysMoney(fact)) return draft.askAgain(payment);
  make(draft, payment, move, fact);
  // `refundedAmount` beside a plain success.
  if (row === 'paid' && payment.status === 'succeeded' && fact.refundedTotal !== undefined)
    refundedSoFar(draft, payment, fact.refundedTotal, fact.refundedAt);
  settle(draft);
}

function make(draft: Draft, payment: Payment, move: Move, fact: Judged): void {
  const contradicted = () => draft.person(payment, 'contradicted', `${fact.is} ${fact.amount ?? ''}`);
  switch (move) {
    case 'none':
      return;
    case 'person':
      return contradicted();
    case 'succeed':
    case 'lateSucceed':
      return succeed(draft, payment, fact, move === 'lateSucceed');
    case 'succeedThenAfter':
    case 'lateSucceedThenAfter':
      succeed(draft, payment, fact, move === 'lateSucceedThenAfter');
      return afterwards(draft, payment, fact);
    case 'paidAgain':
      return payment.disputed ? contradicted() : undefined;
    case 'after':
      return afterwards(draft, payment, fact);
    case 'hold':
      return hold(draft, payment, fact, false);
    case 'lateHold':
      return draft.order.live === null && paidBy(draft.order, draft.all()) === undefined
        ? hold(draft, payment, fact, true)
        : contradicted();
    case 'fail':
    case 'expire':
      return endUnpaid(
        draft,
        payment,
        move === 'fail' ? 'failed' : 'expired',
        'failure' in fact ? fact.failure : EXPIRED,
      );
    case 'void':
      return voided(draft, payment);
    case 'reverse':
      return payment.disputed || payment.refunded > 0n || openOperation(payment)?.type === 'refund'
        ? contradicted()
        : voided(draft, payment);
    case 'wait':
      return wait(draft, payment, fact);
    case 'count':
      return count(draft, payment);
  }
}

/** What every trustworthy answer teaches. */
export function learn(payment: Payment, fact: Judged): void {
  if (fact.is === 'unclear' || fact.is === 'notSent') return;
  if (fact.transactionRef !== undefined && fact.transactionRef !== '')
    payment.transactionRef = fact.transactionRef;
  if (fact.kept) payment.kept = { ...payment.kept, ...fact.kept };
}

/** The payment is paid. Money that a person had taken out of the ledger comes back with the gateway's word. */
function succeed(draft: Draft, payment: Payment, fact: Judged, late: boolean): void {
  const [expected] = successAmounts(payment);
  const amount = fact.amount ?? expected;
  const more = amount - payment.captured;
  const role = succeeded(draft, payment);
  payment.failure = null;
  const money = more > 0n ? draft.money(payment, 'payment', 'in', more, atOf(fact)) : undefined;
  if (more > 0n) payment.captured = amount;
  payment.corrected = payment.captured - amount;
  payment.paidAt = money?.at ?? draft.now;
  draft.move(payment, 'succeeded', {
    late,
    ...(money ? { money } : {}),
    ...(role === 'pays' ? { announce: 'succeeded' as const } : {}),
  });
  announceSuccess(draft, payment, role, late);
}

function hold(draft: Draft, payment: Payment, fact: Judged, late: boolean): void {
  payment.authorized = fact.amount ?? payment.authorized ?? payment.amount;
  payment.failure = null;
  draft.move(payment, 'authorized', { announce: 'authorized', late });
  if (paidBy(draft.order, draft.all()) !== undefined) draft.person(payment, 'hold_ending', '', true);
}

/** The payment ends without money. */
export function endUnpaid(
  draft: Draft,
  payment: Payment,
  status: 'failed' | 'expired' | 'canceled',
  why: Failure,
): void {
  payment.failure = why;
  draft.move(payment, status, { announce: status });
  endedUnpaid(draft, payment);
}

/** The whole payment is reversed: what it holds leaves the ledger. */
export function voided(draft: Draft, payment: Payment, person = false): void {
  const holds = moneyHeld(payment);
  const money = holds > 0n ? draft.money(payment, 'void', 'out', holds, { person }) : undefined;
  if (money) payment.reversed += holds;
  payment.failure = null;
  draft.move(payment, 'voided', { announce: 'voided', ...(money ? { money } : {}) });
  endedUnpaid(draft, payment);
}

/** Less than the whole was reversed, `amount` so far: of captured money the gateway's own refund, for a person to explain. */
function partlyReversed(draft: Draft, payment: Payment, amount: bigint): void {
  if (payment.status === 'voided') return;
  const word = `reversed ${amount}`;
  if (payment.status !== 'succeeded' || payment.disputed)
    return draft.person(payment, payment.disputed ? 'contradicted' : 'differs', word);
  if (!draft.owned) return draft.askAgain(payment);
  const rise = amount - payment.refunded;
  if (rise > 0n) gatewaysOwnRefund(draft, payment, rise, undefined, word);
  else draft.person(payment, 'refund_unexplained', word);
  settle(draft);
}

function wait(draft: Draft, payment: Payment, fact: Judged): void {
  if (fact.is !== 'waiting') return;
  payment.waited = true;
  payment.gatewayExpiresAt = fact.expiresAt ?? payment.gatewayExpiresAt;
  if (isOver(draft, payment) && !isCardBeingCharged(payment))
    return endUnpaid(draft, payment, 'expired', EXPIRED);
  if (!fact.action) return;
  if (payment.status === 'processing')
    draft.move(payment, 'requires_action', { announce: 'requires_action' });
  payment.nextAction = fact.action;
}

/** Whether the session and the end that the gateway gave, if it gave one, are over: then our own clock may end a payment (P4). */
function isOver(draft: Draft, payment: Payment): boolean {
  const session = draft.order.sessions.find(({ id }) => id === payment.sessionId);
  return (
    session !== undefined && session.expiresAt < draft.now && (payment.gatewayExpiresAt ?? 0) < draft.now
  );
}

/** A card in `processing`, or a code or PIN sent without a final answer: only the gateway may end it. */
export function isCardBeingCharged(payment: Payment): boolean {
  const open = openOperation(payment);
  if (open?.type === 'otp' || open?.type === 'pin') return true;
  return payment.status === 'processing' && (payment.method === 'card' || payment.method === 'unknown');
}

/** Three explicit denials, far enough apart, of a payment about which nothing trustworthy ever came (P4). */
function count(draft: Draft, payment: Payment): void {
  if (payment.answeredAt !== null || payment.status !== 'processing') return;
  const { denials } = payment;
  const last = denials.count === 0 ? payment.createdAt : denials.last;
  if (draft.now - last < draft.rules.notFoundGraceMs / 3) return;
  payment.denials = { count: denials.count + 1, last: draft.now };
  if (payment.denials.count < 3) return;
  const open = openOperation(payment);
  if (open) Object.assign(open, { state: 'refused', endedAt: draft.now });
  endUnpaid(draft, payment, 'failed', NEVER_RECEIVED);
}

function atOf(fact: Judged): { at?: number } {
  return fact.paidAt === undefined ? {} : { at: fact.paidAt };
}
