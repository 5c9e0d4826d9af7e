import { cancelAnswer, operationAnswer, orphaned, refundQueryAnswer, statusAnswer } from './answers.js';
import { checkKind, checkedOnce, newCheck } from './check.js';
import { adopt, command } from './commands.js';
import { Draft } from './draft.js';
import { applyFact } from './facts.js';
import type { Decision, Input, Moment, Rules } from './input.js';
import { moveOf, rowOf } from './moves.js';
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
    case 'answer':
      return answer(draft, input);
    case 'notification':
      return notified(draft, input);
    case 'person': {
      const payment = draft.payment(input.payment);
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
      return applyFact(draft, adopt(draft, input.payment, input.n), input.fact);
    case 'probe':
      return probed(draft, input);
    case 'clock':
      if (input.payment !== undefined) overdue(draft, draft.payment(input.payment));
  }
}

function answer(draft: Draft, input: Extract<Input, { by: 'answer' }>): void {
  const { fact, to, taken = false } = input;
  const payment = draft.payment(input.payment);
  if (to === 'status') statusAnswer(draft, payment, fact, taken);
  else if (to === 'cancel') cancelAnswer(draft, payment, fact, taken);
  else if ('refund' in to) refundQueryAnswer(draft, payment, to.refund, fact);
  else {
    const operation = payment.operations.find(({ id }) => id === to.operation);
    if (operation) operationAnswer(draft, payment, operation, fact, taken);
  }
  overdue(draft, payment);
}

/** Payments that may be live or paid are adopted; what ended without money only moves N beyond it (contract, part 9). */
function probed(draft: Draft, { loss, found }: Extract<Input, { by: 'probe' }>): void {
  for (const { n, fact } of found) {
    if (draft.all().some((payment) => payment.n === n)) continue;
    const alive = fact.is === 'waiting' || fact.is === 'paid' || fact.is === 'held' || fact.is === 'foreign';
    if (alive) applyFact(draft, adopt(draft, draft.moment.id('pay'), n), fact);
    else draft.order.attempts = Math.max(draft.order.attempts, n);
  }
  draft.order.probed = { loss, upTo: draft.order.attempts };
}

/** A claim moves no status. The gateway is asked at once, unless the claim agrees with what is known. */
function notified(draft: Draft, input: Extract<Input, { by: 'notification' }>): void {
  const payment = draft.payment(input.payment);
  if (input.kept) payment.kept = { ...payment.kept, ...input.kept };
  if (input.status && agrees(payment, input)) return;
  draft.askAgain(payment);
}

function agrees(
  payment: Payment,
  { status, transactionRef }: Extract<Input, { by: 'notification' }>,
): boolean {
  if (!status || openOperation(payment)) return false;
  if (transactionRef !== undefined && transactionRef !== payment.transactionRef) return false;
  const row = rowOf(status, payment.disputed);
  if (row === 'waiting') return isLive(payment);
  if (row === 'afterwards' || row === 'givenBackWhole' || status.is === 'disputeWon') return false;
  return (
    row !== undefined &&
    moveOf(row, payment.status) === (payment.status === 'succeeded' ? 'paidAgain' : 'none')
  );
}

/** When the gateway is asked next: anew where something changed, else after one more query. */
function schedule(draft: Draft, before: OrderState, id: string, input: Input): void {
  const payment = draft.payment(id);
  const was = before.payments.find((one) => one.id === id);
  const { now, rules } = draft;
  const askedAgain = was !== undefined && payment.check.at !== was.check.at && payment.check.at === now;
  if (askedAgain) return;
  if (!was || checkKind(was) !== checkKind(payment)) payment.check = newCheck(payment, now, rules);
  else if (input.by === 'answer' && input.payment === id) payment.check = checkedOnce(payment, now, rules);
}

function actorOf(input: Input): string | null {
  switch (input.by) {
    case 'command':
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
