import type { DifferenceStep } from '../difference.js';
import type { FoundDifference } from '../match/reconcile.js';

/** What the gateway is asked about, since a report moves no status by itself. */
const ASKED: readonly string[] = ['not_paid_here', 'refund_unknown_here', 'chargeback_unknown_here'];

/** What is done first about a difference that is found; undefined: nothing. Pure. */
export function firstStep(
  { kind, paymentId }: Pick<FoundDifference, 'kind' | 'paymentId'>,
  now: number,
): { step: DifferenceStep; dueAt: number } | undefined {
  return paymentId !== null && ASKED.includes(kind) ? { step: 'to_ask', dueAt: now } : undefined;
}
