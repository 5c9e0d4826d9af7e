import { formatMajor } from '../../money/money.js';
import type { Draft } from './draft.js';
import type { Judged } from './moves.js';
import { moneyHeld, openOperation, type Operation, type Payment } from './payment.js';

/** What happens to money that was captured: given back, charged back, a dispute won. */
export function afterwards(draft: Draft, payment: Payment, fact: Judged): void {
  if (fact.is !== 'givenBack' && fact.refundedTotal !== undefined)
    refundedSoFar(draft, payment, fact.refundedTotal, fact.refundedAt);
  if (fact.is === 'chargedBack') chargedBack(draft, payment, fact.disputedTotal);
  else if (fact.is === 'disputeWon') disputeWon(draft, payment);
  else if (fact.is === 'givenBack')
    givenBack(draft, payment, fact.whole, fact.refundedTotal, fact.refundedAt);
}

function givenBack(
  draft: Draft,
  payment: Payment,
  whole: boolean,
  seen: bigint | undefined,
  at?: number,
): void {
  const total = seen ?? (whole ? payment.captured : undefined);
  if (payment.disputed && (whole || total === undefined || total <= payment.refunded)) {
    draft.person(payment, 'contradicted', `givenBack ${total ?? ''}`);
    return;
  }
  if (total !== undefined) refundedSoFar(draft, payment, total, at);
  else if (payment.refunded === 0n) draft.person(payment, 'refund_unexplained', 'givenBack');
}

/**
 * All that the gateway has given back. A rise ends an open refund of at least its amount; the rest is the gateway's own refund. A fall
 * moves nothing and needs a person.
 */
export function refundedSoFar(draft: Draft, payment: Payment, total: bigint, at?: number): void {
  const rise = total - payment.refunded;
  if (rise === 0n) return;
  const word = `refunded ${total}`;
  if (rise < 0n) return draft.person(payment, 'refund_unexplained', word);
  if (total > payment.captured) return draft.person(payment, 'contradicted', word);
  const open = openOperation(payment);
  let rest = rise;
  if (open?.type === 'refund' && open.amount !== undefined && open.amount <= rise) {
    refundDone(draft, payment, open, at);
    rest -= open.amount;
  }
  if (rest > 0n) gatewaysOwnRefund(draft, payment, rest, at);
}

/**
 * A refund that the gateway made by itself. Where one of ours failed before, or the store is restored, a person looks at it; `word`:
 * in any case, by this word.
 */
export function gatewaysOwnRefund(
  draft: Draft,
  payment: Payment,
  amount: bigint,
  at?: number,
  word?: string,
): void {
  const doubtful =
    word !== undefined ||
    draft.rules.restoredAt !== undefined ||
    payment.operations.some(({ type, state }) => type === 'refund' && state === 'refused');
  payment.refunded += amount;
  draft.say(payment, 'refunded', {
    announce: 'refunded',
    money: draft.money(payment, 'refund', 'out', amount, at === undefined ? {} : { at }),
    operation: { type: 'refund', amount },
    detail: { amount: formatMajor(amount, payment.currency), source: 'gateway' },
  });
  if (doubtful) draft.person(payment, 'refund_unexplained', word ?? `refunded ${payment.refunded}`, true);
}

/** A refund of ours is done, also one that had failed, unless the gateway's own refunds since then are it. */
export function refundDone(
  draft: Draft,
  payment: Payment,
  refund: Operation,
  at?: number,
  person = false,
): void {
  const amount = refund.amount ?? 0n;
  const late = refund.state === 'refused';
  if (refund.state === 'confirmed' || (late && gatewaysOwn(payment) >= amount)) return;
  if (payment.status !== 'succeeded') {
    // Of a payment that the store lost the sale is not entered yet: its status answer brings both, unless it says `voided`.
    if (late || payment.status === 'voided') draft.person(payment, 'contradicted', `refundDone ${amount}`);
    return;
  }
  refund.state = 'confirmed';
  delete refund.late;
  refund.endedAt = draft.now;
  payment.refunded += amount;
  draft.end(payment, ['operation_unknown']);
  draft.say(payment, 'refunded', {
    announce: 'refunded',
    late,
    money: draft.money(payment, 'refund', 'out', amount, {
      refundId: refund.id,
      person,
      ...(at === undefined ? {} : { at }),
    }),
    operation: { type: 'refund', amount, refundId: refund.id },
    detail: { amount: formatMajor(amount, payment.currency), refundId: refund.id },
  });
}

/** What was given back by no refund of ours. */
function gatewaysOwn({ operations, refunded }: Payment): bigint {
  const ours = operations.filter(({ type, state }) => type === 'refund' && state === 'confirmed');
  return ours.reduce((rest, { amount = 0n }) => rest - amount, refunded);
}

/** A refund of ours is refused, or one that had succeeded bounced: then its money is back. */
export function refundFailed(draft: Draft, payment: Payment, refund: Operation, person = false): void {
  const bounced = refund.state === 'confirmed';
  const amount = refund.amount ?? 0n;
  if (bounced && payment.status !== 'succeeded')
    return draft.person(payment, 'contradicted', `refundFailed ${amount}`);
  refund.state = 'refused';
  refund.endedAt = draft.now;
  draft.end(payment, ['operation_unknown']);
  if (bounced) {
    refund.late = true;
    payment.refunded -= amount;
  }
  draft.say(payment, bounced ? 'refund_reversed' : 'refund_failed', {
    announce: 'refund_failed',
    late: bounced,
    operation: { type: 'refund', amount, refundId: refund.id },
    detail: { amount: formatMajor(amount, payment.currency), refundId: refund.id },
    ...(bounced
      ? { money: draft.money(payment, 'refund_reversal', 'in', amount, { refundId: refund.id, person }) }
      : {}),
  });
}

/** A chargeback without an amount is of what the payment holds; heard again it is none. */
function chargedBack(draft: Draft, payment: Payment, seen: bigint | undefined): void {
  const holds = moneyHeld(payment);
  const total =
    seen ?? (payment.disputed ? payment.disputedAmount : payment.disputedAmount + (holds > 0n ? holds : 0n));
  const rise = total - payment.disputedAmount;
  if (payment.disputed && rise <= 0n) return;
  payment.disputed = true;
  if (rise > 0n) payment.disputedAmount = total;
  draft.say(payment, 'disputed', {
    announce: 'disputed',
    operation: { type: 'chargeback', ...(rise > 0n ? { amount: rise } : {}) },
    ...(rise > 0n
      ? {
          money: draft.money(payment, 'chargeback', 'out', rise),
          detail: { amount: formatMajor(rise, payment.currency) },
        }
      : {}),
  });
}

/** A dispute is over for the merchant: its money is back. */
export function disputeWon(draft: Draft, payment: Payment, person = false): void {
  const amount = payment.disputedAmount;
  payment.disputed = false;
  payment.disputedAmount = 0n;
  draft.say(payment, 'dispute_won', {
    announce: 'dispute_won',
    operation: { type: 'chargeback', ...(amount > 0n ? { amount } : {}) },
    ...(amount > 0n
      ? {
          money: draft.money(payment, 'chargeback_reversal', 'in', amount, { person }),
          detail: { amount: formatMajor(amount, payment.currency) },
        }
      : {}),
  });
}
