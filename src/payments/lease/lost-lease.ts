import type { PaymentUpdate } from '../state/payment-update.js';

/**
 * What still counts of an update if its process lost the lease while it asked, so that a newer request has asked or
 * acted since. The gateway's own answer counts. Our conclusions from it do not. An old answer that contradicts a newer
 * one raises no attention: the gateway is asked again, and only a contradiction in that answer counts. Pure.
 */
export function afterLostLease(update: PaymentUpdate): PaymentUpdate {
  const { answered, waiting, move, attention } = update;
  const known = { ...(answered && { answered }), ...(waiting && { waiting }) };
  if (move) return move.by === 'gateway' ? update : known;
  return attention?.reason === 'contradicting_answer' ? { ...known, checkNow: true } : update;
}
