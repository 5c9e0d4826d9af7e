import type { Fact } from '../../gateway/fact.js';
import type { Draft } from './draft.js';
import { applyFact, cancel, fail, isCardBeingCharged } from './facts.js';
import { isTrustworthy, saysMoney } from './moves.js';
import { settle } from './orders.js';
import { isLive, openOperation, type Operation, type Payment, type Refused } from './payment.js';
import { refundDone, refundFailed } from './refunds.js';
import { Refusal } from './refusal.js';

/** The answer to an operation's own call (contract, part 5). */
export function operationAnswer(
  draft: Draft,
  payment: Payment,
  operation: Operation,
  fact: Fact,
  taken: boolean,
): void {
  const open = operation.state === 'intended' || operation.state === 'unknown';
  if (!draft.owned && !saysMoney(fact)) return draft.askAgain(payment);
  if (isTrustworthy(fact)) payment.answeredAt = draft.now;
  if (!open) return statusFact(draft, payment, fact, taken);
  switch (operation.type) {
    case 'pay':
      startAnswer(draft, payment, operation, fact, taken);
      break;
    case 'otp':
    case 'pin':
      codeAnswer(draft, payment, operation, fact, taken);
      break;
    case 'complete':
    case 'void':
      captureAnswer(draft, payment, operation, fact, taken);
      break;
    case 'refund':
      refundAnswer(draft, payment, operation, fact);
  }
  settle(draft);
}

function startAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Fact, taken: boolean): void {
  if (fact.is === 'refused' || fact.is === 'notSent') {
    refuse(draft, payment, operation, fact);
    if (payment.status === 'processing') fail(draft, payment, fact.failure);
    return;
  }
  if (isTrustworthy(fact)) confirm(draft, payment, operation);
  else stayUnknown(draft, payment, operation);
  if (fact.is !== 'denied') applyFact(draft, payment, fact, taken);
}

/** Success, failure, or "again". Refused: what was asked for is asked for still. */
function codeAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Fact, taken: boolean): void {
  if (fact.is === 'refused' || fact.is === 'notSent') return refuse(draft, payment, operation, fact);
  if (isTrustworthy(fact) && (fact.is !== 'waiting' || fact.action)) confirm(draft, payment, operation);
  else stayUnknown(draft, payment, operation);
  if (fact.is !== 'denied') applyFact(draft, payment, fact, taken);
}

/** In a completion's or void's own answer `failed` and `expired` refuse it and move nothing: only status answers do. */
function captureAnswer(
  draft: Draft,
  payment: Payment,
  operation: Operation,
  fact: Fact,
  taken: boolean,
): void {
  if (fact.is === 'refused' || fact.is === 'notSent') return refuse(draft, payment, operation, fact);
  if (fact.is === 'failed' || fact.is === 'expired') {
    operation.problem = { code: 'gateway-refused', detail: fact.failure.message };
    return ended(draft, payment, operation, 'refused');
  }
  stayUnknown(draft, payment, operation);
  if (fact.is !== 'denied') applyFact(draft, payment, fact, taken);
  endByStatus(draft, payment, fact);
}

function refundAnswer(draft: Draft, payment: Payment, operation: Operation, fact: Fact): void {
  if (fact.is === 'foreign') {
    stayUnknown(draft, payment, operation);
    draft.person(payment, 'differs', `refund ${fact.differs}`);
  } else if (fact.is === 'refundDone') refundDone(draft, payment, operation, fact.refundedAt);
  else if (fact.is === 'refundFailed' || fact.is === 'failed') {
    operation.problem = { code: 'gateway-refused', detail: 'The gateway refused the refund.' };
    refundFailed(draft, payment, operation);
  } else if (fact.is === 'refused' || fact.is === 'notSent') {
    operation.problem = refusedBy(fact);
    refundFailed(draft, payment, operation);
  } else stayUnknown(draft, payment, operation);
}

/** The answer to a status query, whoever asked. */
export function statusAnswer(draft: Draft, payment: Payment, fact: Fact, taken: boolean): void {
  statusFact(draft, payment, fact, taken);
  settle(draft);
}

function statusFact(draft: Draft, payment: Payment, fact: Fact, taken: boolean): void {
  const counts = draft.owned || saysMoney(fact);
  if (counts && isTrustworthy(fact)) {
    payment.answeredAt = draft.now;
    const open = openOperation(payment);
    if (open?.type === 'pay') confirm(draft, payment, open);
  }
  applyFact(draft, payment, fact, taken);
  if (counts) endByStatus(draft, payment, fact);
}

/** What the gateway's word about the payment says about a code, completion or void that is open. */
function endByStatus(draft: Draft, payment: Payment, fact: Fact): void {
  const open = openOperation(payment);
  if (!open) return;
  const { status } = payment;
  if (open.type === 'otp' || open.type === 'pin') {
    const askedAgain = fact.is === 'waiting' && fact.action !== undefined;
    if (status !== 'requires_action' || askedAgain) ended(draft, payment, open, 'confirmed');
  } else if (open.type === 'complete') {
    if (status === 'succeeded') ended(draft, payment, open, 'confirmed');
    else if (status !== 'authorized') ended(draft, payment, open, 'refused');
  } else if (open.type === 'void') {
    const givenBack = fact.is === 'givenBack' && payment.refunded > 0n;
    if (status === 'voided') ended(draft, payment, open, fact.is === 'givenBack' ? 'refused' : 'confirmed');
    else if (status === 'failed' || status === 'expired' || givenBack) ended(draft, payment, open, 'refused');
  }
}

/** The answer to a query about a refund: its end, or that it bounced. */
export function refundQueryAnswer(draft: Draft, payment: Payment, refundId: string, fact: Fact): void {
  const refund = payment.operations.find(({ id, type }) => id === refundId && type === 'refund');
  if (!refund || refund.state === 'refused') return;
  if (fact.is === 'foreign') return draft.person(payment, 'differs', `refund ${fact.differs}`);
  if (fact.is === 'refundDone' && refund.state !== 'confirmed')
    refundDone(draft, payment, refund, fact.refundedAt);
  else if (fact.is === 'refundFailed') {
    if (draft.owned) refundFailed(draft, payment, refund);
    else draft.askAgain(payment);
  }
  settle(draft);
}

/** The fresh answer that a cancel asks for first. Throws where the outcome cannot be told. */
export function cancelAnswer(draft: Draft, payment: Payment, fact: Fact, taken: boolean): void {
  if (!isLive(payment)) return statusAnswer(draft, payment, fact, taken);
  const callOff = fact.is === 'waiting' || fact.is === 'denied';
  const asked = payment.status === 'requires_action' || (fact.is === 'waiting' && fact.action !== undefined);
  if (callOff && draft.owned && payment.status !== 'authorized' && !isCardBeingCharged(payment, asked)) {
    const open = openOperation(payment);
    if (open?.type === 'pay') confirm(draft, payment, open);
    if (fact.is === 'waiting') payment.answeredAt = draft.now;
    cancel(draft, payment);
    return;
  }
  statusAnswer(draft, payment, fact, taken);
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

function confirm(draft: Draft, payment: Payment, operation: Operation): void {
  ended(draft, payment, operation, 'confirmed');
}

function refuse(
  draft: Draft,
  payment: Payment,
  operation: Operation,
  fact: Extract<Fact, { is: 'refused' | 'notSent' }>,
): void {
  operation.problem = refusedBy(fact);
  ended(draft, payment, operation, 'refused');
}

function stayUnknown(draft: Draft, payment: Payment, operation: Operation): void {
  if (operation.state === 'unknown') return;
  operation.state = 'unknown';
  draft.say(payment, 'unknown', { detail: { operation: operation.type } });
}

function refusedBy(fact: Extract<Fact, { is: 'refused' | 'notSent' }>): Refused {
  const codes: Record<string, string> = {
    gateway_unavailable: 'gateway-unavailable',
    gateway_busy: 'gateway-busy',
    gateway_credentials_rejected: 'gateway-credentials-rejected',
  };
  return { code: codes[fact.failure.code] ?? 'gateway-refused', detail: fact.failure.message };
}

function described(operation: Operation): { type: string; amount?: bigint } {
  return { type: operation.type, ...(operation.amount === undefined ? {} : { amount: operation.amount }) };
}
