import type { Fact } from '../../gateway/fact.js';
import { openOperation, type Payment } from './payment.js';

/** A success dated this long before our own intent is not ours. */
const BEFORE_INTENT_MS = 10 * 60_000;

/**
 * The amounts that a success may name: the open completion's, else the captured one (also without a person's corrections), else the
 * owed one (P3). The first is what a success without an amount is taken for.
 */
export function successAmounts(payment: Payment): readonly [bigint, ...bigint[]] {
  const open = openOperation(payment);
  if (open?.type === 'complete' && open.amount !== undefined) return [open.amount];
  if (payment.captured > 0n) return [payment.captured, payment.captured - payment.corrected];
  if (payment.corrected !== 0n) return [payment.captured - payment.corrected];
  return [payment.amount];
}

/** What a whole reversal takes back. */
export function wholeAmount(payment: Payment): bigint {
  return payment.captured > 0n ? payment.captured : (payment.authorized ?? payment.amount);
}

/** Just what was held and not captured: the rest of a hold that is let go. */
export function isRestOfHold(payment: Payment, amount: bigint): boolean {
  return (
    payment.captured > 0n && payment.authorized !== null && amount === payment.authorized - payment.captured
  );
}

/** What about the answer is another payment's: its reference, currency, amount or date; undefined: nothing. */
export function foreignBy(payment: Payment, fact: Fact): string | undefined {
  if (fact.is === 'foreign') return fact.differs;
  if (isDatedBefore(payment, fact)) return 'date';
  return fact.amount === undefined || amountFits(payment, fact, fact.amount) ? undefined : 'amount';
}

function isDatedBefore(payment: Payment, fact: Fact): boolean {
  const successes: readonly Fact['is'][] = ['paid', 'held', 'givenBack', 'chargedBack', 'disputeWon'];
  return (
    !payment.adopted &&
    successes.includes(fact.is) &&
    fact.paidAt !== undefined &&
    fact.paidAt < payment.createdAt - BEFORE_INTENT_MS
  );
}

function amountFits(payment: Payment, fact: Fact, amount: bigint): boolean {
  switch (fact.is) {
    case 'paid':
      return successAmounts(payment).includes(amount);
    case 'held':
      return payment.captured > 0n || amount === (payment.authorized ?? payment.amount);
    case 'reversed':
      return amount <= wholeAmount(payment) || isRestOfHold(payment, amount);
    case 'denied':
      return true;
    default:
      return [...successAmounts(payment), payment.amount, payment.authorized].includes(amount);
  }
}
