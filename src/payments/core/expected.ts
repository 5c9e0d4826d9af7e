import type { Fact } from '../../gateway/fact.js';
import { saysMoney, type Judged } from './moves.js';
import { openOperation, type Operation, type Payment } from './payment.js';

/** A success dated this long before our own intent is not ours. */
const BEFORE_INTENT_MS = 10 * 60_000;
/** A day that begins at midnight in UTC ends so much later in the west. */
const DAY_ANYWHERE_MS = 36 * 3_600_000;

/**
 * Compares a fact with the payment, or with the refund that it is about, as the row is now. `taken`: its transaction is known as
 * another order's.
 */
export function judged(payment: Payment, fact: Fact, taken: boolean, refund?: Operation): Judged {
  if (fact.is === 'foreign') return fact;
  const fits = refund
    ? fact.amount === refund.amount || fact.is === 'denied'
    : amountFits(payment, fact, fact.amount ?? 0n);
  const differs =
    taken && saysMoney(fact)
      ? 'transaction'
      : isDatedBefore(payment, fact)
        ? 'date'
        : fact.amount !== undefined && !fits && 'amount';
  return differs ? { is: 'foreign', differs: `${fact.is} ${differs} ${fact.amount ?? ''}` } : fact;
}

/**
 * The amounts that a success may name: the open completion's, else the captured one (without a person's corrections, or with them),
 * else the owed one (P3). The first is what a success without an amount is taken for.
 */
export function successAmounts(payment: Payment): readonly [bigint, ...bigint[]] {
  const { amount, captured, corrected } = payment;
  const open = openOperation(payment);
  if (open?.type === 'complete' && open.amount !== undefined) return [open.amount];
  if (captured > 0n) return [captured - corrected, captured];
  return [corrected === 0n ? amount : captured - corrected];
}

/** Whether a reversal takes back everything. */
export function isWhole(payment: Payment, amount: bigint): boolean {
  return wholeAmounts(payment).includes(amount);
}

function wholeAmounts({ captured, corrected, authorized, amount }: Payment): bigint[] {
  return captured > 0n ? [captured - corrected, captured] : [authorized ?? amount];
}

/** Just what was held and not captured: the rest of a hold that is let go. */
export function isRestOfHold(payment: Payment, amount: bigint): boolean {
  const { captured, authorized } = payment;
  return captured > 0n && authorized !== null && amount === authorized - captured;
}

function isDatedBefore(payment: Payment, fact: Fact): boolean {
  const successes: readonly Fact['is'][] = ['paid', 'held', 'givenBack', 'chargedBack', 'disputeWon'];
  const { adopted, createdAt } = payment;
  const slack = fact.paidOnDay ? DAY_ANYWHERE_MS : BEFORE_INTENT_MS;
  return (
    !adopted && successes.includes(fact.is) && fact.paidAt !== undefined && fact.paidAt < createdAt - slack
  );
}

function amountFits(payment: Payment, fact: Fact, amount: bigint): boolean {
  const { captured, authorized, amount: owed } = payment;
  switch (fact.is) {
    case 'paid':
    case 'givenBack':
    case 'chargedBack':
    case 'disputeWon':
      return successAmounts(payment).includes(amount);
    case 'held':
      return captured > 0n || amount === (authorized ?? owed);
    case 'reversed':
      return wholeAmounts(payment).some((whole) => amount <= whole) || isRestOfHold(payment, amount);
    case 'denied':
    case 'refundDone':
    case 'refundFailed':
      return true;
    default:
      return [...successAmounts(payment), owed, authorized].includes(amount);
  }
}
