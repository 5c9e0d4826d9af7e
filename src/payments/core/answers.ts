import type { Draft } from './draft.js';
import type { Announced } from './input.js';
import { applyFact, CANCELED, endUnpaid, isCardBeingCharged, learn } from './facts.js';
import { isTrustworthy, saysMoney, type Judged } from './moves.js';
import { settle } from './orders.js';
import { openOperation, type Operation, type Payment, type Refused } from './payment.js';
import { refundDone, refundFailed } from './refunds.js';
import { Refusal } from './refusal.js';

/** The answer to an operation's own call. */
export function operationAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Judged): void {
  if (!draft.owned && !saysMoney(fact)) return draft.askAgain(payment);
  if (operation.type === 'refund') refundAnswer(draft, payment, operation, fact);
  else if (!isOpen(operation)) statusFact(draft, payment, fact);
  else if (operation.type === 'pay') startAnswer(draft, payment, operation, fact);
  else laterAnswer(draft, payment, operation, fact);
  settle(draft);
}

function startAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Judged): void {
  if (fact.is === 'refused' || fact.is === 'notSent') {
    // A later operation's refusal may name a transaction of its own.
    learn(payment, fact);
    refuse(draft, payment, operation, fact);
    if (payment.status === 'processing') endUnpaid(draft, payment, 'failed', fact.failure);
    return;
  }
  if (isTrustworthy(fact)) ended(draft, payment, operation, 'confirmed');
  else stayUnknown(draft, payment, operation);
  applyFact(draft, payment, fact);
}

/**
 * Of a code, completion or void. Refused, nothing moves and what was asked for is asked for still. In a completion's or void's own
 * answer `failed` and `expired` refuse it and move nothing: only status answers do.
 */
function laterAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Judged): void {
  if (fact.is === 'refused' || fact.is === 'notSent') return refuse(draft, payment, operation, fact);
  const isCode = operation.type === 'otp' || operation.type === 'pin';
  if (!isCode && (fact.is === 'failed' || fact.is === 'expired')) {
    operation.problem = { code: 'gateway-refused', detail: fact.failure.message };
    return ended(draft, payment, operation, 'refused');
  }
  applyFact(draft, payment, fact);
  endByWord(draft, payment, fact);
  if (isOpen(operation)) stayUnknown(draft, payment, operation);
}

function refundAnswer(draft: Draft, payment: Payment, refund: Operation, fact: Judged): void {
  if (fact.is === 'refundDone') refundDone(draft, payment, refund, fact.refundedAt);
  if (!isOpen(refund)) return;
  if (fact.is === 'refundFailed' || fact.is === 'failed') {
    refund.problem = { code: 'gateway-refused', detail: 'The gateway refused the refund.' };
    refundFailed(draft, payment, refund);
  } else if (fact.is === 'refused' || fact.is === 'notSent') {
    refund.problem = refusedBy(fact);
    refundFailed(draft, payment, refund);
  } else {
    stayUnknown(draft, payment, refund);
    if (fact.is === 'foreign') draft.person(payment, 'differs', `refund ${fact.differs}`);
  }
}

/** The answer to a status query, whoever asked. */
export function statusAnswer(draft: Draft, payment: Payment, fact: Judged): void {
  statusFact(draft, payment, fact);
  settle(draft);
}

function statusFact(draft: Draft, payment: Payment, fact: Judged): void {
  const counts = draft.owned || saysMoney(fact);
  const open = openOperation(payment);
  if (counts && isTrustworthy(fact) && open?.type === 'pay') ended(draft, payment, open, 'confirmed');
  applyFact(draft, payment, fact);
  if (counts) endByWord(draft, payment, fact);
}

/** What the gateway's word about the payment says about a code, completion or void that is open. */
function endByWord(draft: Draft, payment: Payment, fact: Judged): void {
  const open = openOperation(payment);
  const { status } = payment;
  if (open?.type === 'otp' || open?.type === 'pin') {
    const askedAgain = fact.is === 'waiting' && fact.action !== undefined;
    if (status !== 'requires_action' || askedAgain) ended(draft, payment, open, 'confirmed');
  } else if (open?.type === 'complete') {
    if (status === 'succeeded') ended(draft, payment, open, 'confirmed');
    else if (status !== 'authorized') ended(draft, payment, open, 'refused');
  } else if (open?.type === 'void') {
    if (fact.is === 'reversed' && status === 'voided') ended(draft, payment, open, 'confirmed');
    else if (fact.is === 'failed' || fact.is === 'expired' || fact.is === 'givenBack')
      ended(draft, payment, open, 'refused');
  }
}

/** The answer to a query about a refund: its end, or that it bounced. */
export function refundQueryAnswer(draft: Draft, payment: Payment, refund: Operation, fact: Judged): void {
  if (fact.is === 'foreign') draft.person(payment, 'differs', `refund ${fact.differs}`);
  else if (fact.is === 'refundDone') refundDone(draft, payment, refund, fact.refundedAt);
  else if (fact.is === 'refundFailed' && refund.state !== 'refused') {
    if (!draft.owned) return draft.askAgain(payment);
    refundFailed(draft, payment, refund);
  }
  settle(draft);
}

/** The fresh answer that a cancel asks for first. */
export function cancelAnswer(draft: Draft, payment: Payment, fact: Judged): void {
  const waits = payment.status === 'requires_action' || (payment.status === 'processing' && payment.waited);
  const callOff = fact.is === 'waiting' || fact.is === 'denied';
  if (!callOff || !waits || !draft.owned || isCardBeingCharged(payment))
    return statusAnswer(draft, payment, fact);
  const open = openOperation(payment);
  if (open) ended(draft, payment, open, 'confirmed');
  endUnpaid(draft, payment, 'canceled', CANCELED);
}

/** Whether a cancel's answer left the outcome open, so that the caller is told `outcome-unknown`. */
export function refuseUnknownCancel(payment: Payment): void {
  if (payment.status === 'processing' || payment.status === 'requires_action')
    throw new Refusal('outcome-unknown', 'The gateway has not said what became of this payment.', payment.id);
}

/** A process that committed an operation died: it may have been sent. */
export function orphaned(draft: Draft, payment: Payment, id: string): void {
  const operation = payment.operations.find((one) => one.id === id);
  if (operation?.state === 'intended') stayUnknown(draft, payment, operation);
}

/** Ends an operation without more: what it says has been said by a move. */
export function ended(
  draft: Draft,
  payment: Payment,
  operation: Operation,
  state: 'confirmed' | 'refused',
): void {
  if (operation.type === 'refund') return;
  operation.state = state;
  operation.endedAt = draft.now;
  draft.end(payment, ['operation_unknown', 'outcome_unknown']);
  const refusal = state === 'refused' && operation.type !== 'pay';
  draft.say(payment, state, {
    detail: { operation: operation.type },
    ...(refusal ? { announce: 'operation_refused' as const, operation: described(operation) } : {}),
  });
}

function refuse(
  draft: Draft,
  payment: Payment,
  operation: Operation,
  fact: Extract<Judged, { is: 'refused' | 'notSent' }>,
): void {
  operation.problem = refusedBy(fact);
  ended(draft, payment, operation, 'refused');
}

function isOpen({ state }: Operation): boolean {
  return state === 'intended' || state === 'unknown';
}

function stayUnknown(draft: Draft, payment: Payment, operation: Operation): void {
  if (operation.state === 'unknown') return;
  operation.state = 'unknown';
  draft.say(payment, 'unknown', { detail: { operation: operation.type } });
}

function refusedBy(fact: Extract<Judged, { is: 'refused' | 'notSent' }>): Refused {
  const codes: Record<string, string> = {
    gateway_unavailable: 'gateway-unavailable',
    gateway_busy: 'gateway-busy',
    gateway_credentials_rejected: 'gateway-credentials-rejected',
  };
  return { code: codes[fact.failure.code] ?? 'gateway-refused', detail: fact.failure.message };
}

function described(operation: Operation): Announced {
  return { type: operation.type, ...(operation.amount === undefined ? {} : { amount: operation.amount }) };
}
