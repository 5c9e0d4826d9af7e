import type { Verdict } from '../state/payment-update.js';

/**
 * What still counts of a verdict whose process lost the payment's lease while it asked: somebody newer has asked or acted since. What
 * the gateway said counts; what we would conclude from it ourselves does not. That an old answer contradicts what came after it
 * is no contradiction: the gateway is asked anew, and only a contradiction of that answer wants a person. Pure.
 */
export function afterLostLease(verdict: Verdict): Verdict {
  const { answered, waiting, move, attention } = verdict;
  const known = { ...(answered && { answered }), ...(waiting && { waiting }) };
  if (move) return move.by === 'gateway' ? verdict : known;
  return attention?.reason === 'contradicting_answer' ? { ...known, askNow: true } : verdict;
}
