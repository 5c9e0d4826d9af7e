import type { PaymentRecord } from '../../store/schema.js';
import { disputedAnswer } from './attention.js';

/** What a payment's row says of the money that was taken and of what became of it. */
export type MoneyFacts = Pick<
  PaymentRecord,
  'status' | 'amount' | 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'
>;

/**
 * What a payment still holds, in minor units: what was captured less what was given back, reversed or charged back, as far as that is
 * known. Never below zero. Pure.
 */
export function moneyHeld(payment: MoneyFacts): bigint {
  const { status, amount, amountCaptured, amountRefunded, disputed, amountDisputed } = payment;
  if (status !== 'succeeded') return 0n;
  const kept = (amountCaptured ?? amount) - (amountRefunded ?? 0n);
  // A chargeback without a sum took what was left.
  const held = disputed ? kept - (amountDisputed ?? kept) : kept;
  return held > 0n ? held : 0n;
}

/**
 * How much more went back of a payment than was taken of it, in minor units: it was refunded and charged back too, so the payer has got so
 * much twice. Pure.
 */
export function takenBackTwice(payment: Omit<MoneyFacts, 'status'>): bigint {
  const { amount, amountCaptured, amountRefunded, disputed, amountDisputed } = payment;
  const back = (amountRefunded ?? 0n) + (disputed ? (amountDisputed ?? 0n) : 0n);
  const beyond = back - (amountCaptured ?? amount);
  return beyond > 0n ? beyond : 0n;
}

/** Whether a payment holds money. One that holds none pays no order. Pure. */
export function holdsMoney(payment: MoneyFacts): boolean {
  return moneyHeld(payment) > 0n;
}

/**
 * How much money has come, in minor units, where that is not what is owed: the gateway's word of a success with another amount, which a
 * person must look at. Null where nothing else came, and where the answer was about another payment or another currency. Pure.
 */
export function amountReceived(
  payment: Pick<
    PaymentRecord,
    'attentionReason' | 'amount' | 'amountCaptured' | 'currency' | 'gatewayReference'
  >,
): bigint | null {
  const [meaning, amount = '', currency = '', ...rest] =
    disputedAnswer(payment, 'mismatch')?.split(':') ?? [];
  if (meaning !== 'succeeded' || !/^\d{1,30}$/.test(amount)) return null;
  if (currency !== '' && currency.toUpperCase() !== payment.currency) return null;
  const reference = rest.join(':');
  const isOwn = reference === '' || `${reference}:`.startsWith(`${payment.gatewayReference}:`);
  const received = BigInt(amount);
  return isOwn && received !== (payment.amountCaptured ?? payment.amount) ? received : null;
}

/** What the ledger says of a payment's money, in minor units; null: nothing. */
export interface CountedAmounts {
  captured: bigint | null;
  refunded: bigint | null;
  disputed: bigint | null;
}

/**
 * What of a payment's amounts counts. What was heard to have gone back of a payment that is not known to be paid does not, until it is: the
 * ledger has no money of it. Pure.
 */
export function countedAmounts({
  amountCaptured,
  amountRefunded,
  disputed,
  amountDisputed,
}: Pick<PaymentRecord, 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'>): CountedAmounts {
  if (amountCaptured === null) return { captured: null, refunded: null, disputed: null };
  return {
    captured: amountCaptured,
    refunded: amountRefunded,
    disputed: disputed ? amountDisputed : null,
  };
}
