import type { PaymentUpdate } from '../state/payment-update.js';

/**
 * What still counts of an update whose process lost the payment's lease while it asked: somebody newer has asked or acted since. What
 * the gateway said counts; what we would conclude from it ourselves does not. That an old answer contradicts what came after it
 * is no contradiction: the gateway is asked anew, and only a contradiction of that answer wants a person. Pure.
 */
export function afterLostLease(update: PaymentUpdate): PaymentUpdate {
  const { answered, waiting, move, attention } = update;
  const known = { ...(answered && { answered }), ...(waiting && { waiting }) };
  if (move) return move.by === 'gateway' ? update : known;
  return attention?.reason === 'contradicting_answer' ? { ...known, checkNow: true } : update;
}
