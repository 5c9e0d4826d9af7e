import type { Draft } from './draft.js';
import { isCardBeingCharged } from './facts.js';
import { openOperation, type Payment } from './payment.js';

const HOUR = 3_600_000;
/** Without a conclusive answer this long, a person must look. */
const UNKNOWN_MS = 72 * HOUR;
/** The same of a card that is being charged: its payer waits, and nothing else may be tried. */
const UNKNOWN_CARD_MS = 2 * HOUR;
const REFUND_UNKNOWN_MS = 72 * HOUR;
const HOLD_MS = 6 * 24 * HOUR;

/** Gives to a person what has stayed open for too long. */
export function overdue(draft: Draft, payment: Payment): void {
  const { now } = draft;
  const open = openOperation(payment);
  if (payment.status === 'processing' || payment.status === 'requires_action') {
    const card = isCardBeingCharged(payment);
    const since = open?.type === 'otp' || open?.type === 'pin' ? open.since : unansweredSince(payment);
    if (now - since >= (card ? UNKNOWN_CARD_MS : UNKNOWN_MS)) draft.person(payment, 'outcome_unknown', '');
  }
  if (open?.type === 'complete' || open?.type === 'void') {
    if (now - open.since >= draft.rules.notFoundGraceMs) draft.person(payment, 'operation_unknown', open.id);
  } else if (open?.type === 'refund' && now - open.since >= REFUND_UNKNOWN_MS)
    draft.person(payment, 'operation_unknown', open.id);
  if (payment.status === 'authorized' && now - payment.statusSince >= HOLD_MS)
    draft.person(payment, 'hold_ending', '');
}

/** A payer who is waited for is no unknown outcome while the gateway keeps saying so. */
function unansweredSince(payment: Payment): number {
  return payment.status === 'requires_action'
    ? Math.max(payment.answeredAt ?? 0, payment.statusSince)
    : payment.statusSince;
}
