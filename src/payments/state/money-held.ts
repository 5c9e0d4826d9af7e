import type { PaymentRecord } from '../../store/schema.js';

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
