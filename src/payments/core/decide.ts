import type { Fact } from '../../gateway/fact.js';
import { cancelAnswer, operationAnswer, orphaned, refundQueryAnswer, statusAnswer } from './answers.js';
import { checkKind, checkNow, checkedOnce, newCheck } from './check.js';
import { adopt, command, askApproval, decideApproval } from './commands.js';
import { Draft } from './draft.js';
import { judged } from './expected.js';
import { applyFact } from './facts.js';
import type { Decision, Input, Moment, Rules } from './input.js';
import { isKnownBy, saysMoney } from './moves.js';
import { expireSessions } from './orders.js';
import { overdue } from './overdue.js';
import { isLive, openOperation, type OrderState, type Payment } from './payment.js';
import { Refusal } from './refusal.js';
import { resolve } from './resolve.js';

/**
 * Everything that can happen to an order, and what follows from it. Pure: the same input gives the same decision. Throws `Refusal` where
 * a command or a person's word is not allowed; then nothing changes.
 */
export function decide(before: OrderState, input: Input, moment: Moment, rules: Rules): Decision {
  const { order } = before;
  if (!order) throw new Refusal('not-found', 'There is no such order.');
  const owned = input.by !== 'answer' || input.owned;
  const draft = new Draft({ ...before, order }, moment, rules, actorOf(input), owned);
  take(draft, input);
  expireSessions(draft);
  const decision = draft.decision();
  for (const id of decision.changed) schedule(draft, before, id, input);
  return decision;
}

function take(draft: Draft, input: Input): void {
  switch (input.by) {
    case 'command':
      return command(draft, input.command, input);
    case 'approval':
      return askApproval(draft, input.command, input.approval, input.key);
    case 'declined':
      decideApproval(draft, input.approval);
      return draft.keep(input.key, { type: 'approval', id: input.approval });
    case 'answer':
      return answer(draft, input);
    case 'notification':
      return notified(draft, input);
    case 'person': {
      const payment = draft.payment(input.payment);
      draft.note = input.note;
      resolve(draft, payment, input.as, input.note);
      return draft.keep(input.key, { type: 'payment', id: payment.id });
    }
    case 'kept': {
      const payment = draft.payment(input.payment);
      payment.kept = { ...payment.kept, ...input.kept };
      return;
    }
    case 'orphan':
      return orphaned(draft, draft.payment(input.payment), input.operation);
    case 'adoption':
      return adopted(draft, input.payment, input.n, input.fact);
    case 'probe':
      return probed(draft, input);
    case 'clock':
      if (input.payment !== undefined) overdue(draft, draft.payment(input.payment));
  }
}

function answer(draft: Draft, input: Extract<Input, { by: 'answer' }>): void {
  const { to, taken = false } = input;
  const payment = draft.payment(input.payment);
  const id = typeof to === 'string' ? undefined : 'refund' in to ? to.refund : to.operation;
  const about = payment.operations.find((operation) => operation.id === id);
  const fact = judged(payment, input.fact, taken, about?.type === 'refund' ? about : undefined);
  if (isKnownBy(input.fact) && (draft.owned || saysMoney(fact))) payment.answeredAt = draft.now;
  if (to === 'cancel') {
    cancelAnswer(draft, payment, fact);
    if (payment.status !== 'processing' && payment.status !== 'requires_action')
      draft.keep(input.key, { type: 'payment', id: payment.id });
  } else if (!about) statusAnswer(draft, payment, fact);
  else if (typeof to === 'object' && 'refund' in to) refundQueryAnswer(draft, payment, about, fact);
  else operationAnswer(draft, payment, about, fact);
  overdue(draft, payment);
}

/** What may be live or hold money is adopted; what ended without money only moves N beyond it. */
function probed(draft: Draft, { loss, found }: Extract<Input, { by: 'probe' }>): void {
  for (const { n, fact } of found) {
    const isOver =
      ['failed', 'expired', 'reversed', 'denied'].includes(fact.is) ||
      (fact.is === 'givenBack' && fact.whole);
    if (!isOver) adopted(draft, draft.moment.id('pay'), n, fact);
    else draft.order.attempts = Math.max(draft.order.attempts, n);
  }
  draft.order.probed = loss;
}

/** Another replica may have adopted it meanwhile. */
function adopted(draft: Draft, id: string, n: number, fact: Fact): void {
  if (draft.all().some((payment) => payment.n === n)) return;
  const payment = adopt(draft, id, n);
  applyFact(draft, payment, judged(payment, fact, false));
}

/** A claim moves no status. The gateway is asked at once, unless the claim agrees with what is known. */
function notified(draft: Draft, input: Extract<Input, { by: 'notification' }>): void {
  const payment = draft.payment(input.payment);
  if (input.kept) payment.kept = { ...payment.kept, ...input.kept };
  const sameTransaction =
    input.transactionRef === undefined || input.transactionRef === payment.transactionRef;
  if (input.status && sameTransaction && agrees(payment, input.status)) return;
  if (input.once) payment.check = checkNow(payment.check, draft.now);
  else draft.askAgain(payment);
}

function agrees(payment: Payment, claim: Fact): boolean {
  const { status, disputed } = payment;
  if (openOperation(payment)) return false;
  switch (claim.is) {
    case 'paid':
      return status === 'succeeded' && !disputed;
    case 'held':
      return status === 'authorized';
    case 'reversed':
      return status === 'voided';
    case 'failed':
    case 'expired':
      return status === claim.is;
    default:
      return claim.is === 'waiting' && isLive(payment);
  }
}

/** When the gateway is asked next: anew where something changed, else after one more query. */
function schedule(draft: Draft, before: OrderState, id: string, input: Input): void {
  const payment = draft.payment(id);
  const was = before.payments.find((one) => one.id === id);
  const { now, rules } = draft;
  const askedAgain = payment.check.at === now && payment.check.since === now;
  if (askedAgain) return;
  if (!was || checkKind(was) !== checkKind(payment)) payment.check = newCheck(payment, now, rules);
  else if (input.by === 'answer' && input.payment === id && !isOfRefund(input))
    payment.check = checkedOnce(payment, now, rules);
}

/** The payment itself is asked about right after its refund. */
function isOfRefund({ to }: Extract<Input, { by: 'answer' }>): boolean {
  return typeof to === 'object' && 'refund' in to;
}

function actorOf(input: Input): string | null {
  switch (input.by) {
    case 'command':
    case 'approval':
    case 'declined':
    case 'person':
      return input.actor;
    case 'answer':
      return input.to === 'cancel' ? (input.actor ?? 'payer') : 'gateway';
    case 'notification':
      return 'gateway';
    default:
      return null;
  }
}
