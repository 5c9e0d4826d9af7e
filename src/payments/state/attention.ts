import type { PaymentRecord } from '../../store/schema.js';

const HOUR = 3_600_000;
/** A hold that nobody has completed or voided by then needs attention: most issuers let it lapse after seven days. */
const HOLD_ATTENTION_AFTER = 6 * 24 * HOUR;

/**
 * Why a person must look. The words are kept in payments' rows and stand in the runbook, which explains each, so they never
 * change.
 */
export const ATTENTION_REASONS = [
  'mismatch',
  'contradicting_answer',
  'hold_beside_another_payment',
  'no_conclusive_answer',
  'being_charged',
  'hold_left_alone',
  'money_after_resolve',
  'unlisted_word',
  'refund_unclear',
  'refund_of_unpaid',
  'refund_beside_operation',
  'refund_doubtful',
  'refund_contradicted',
  'void_denied',
  'duplicate_not_voided',
  'charged_back_after_refund',
  'dispute_contradicted',
  'report_unconfirmed',
  'adopted_on_word',
  'adopted_other_amount',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** Why a person must look: a stable reason and, where an answer of the gateway caused it, that answer in short. */
export interface Attention {
  reason: AttentionReason;
  answer?: string;
}

/** Stored attention with one reason more, which takes the place of the same one: a line for each, the oldest first. Pure. */
export function withAttention(stored: string | null, { reason, answer }: Attention): string {
  const line = answer === undefined ? reason : `${reason} ${answer.replaceAll('\n', ' ')}`;
  const lines = linesOf(stored);
  const at = lines.findIndex((one) => readLine(one).reason === reason);
  return (at < 0 ? [...lines, line] : lines.with(at, line)).join('\n');
}

/** Stored attention without the reasons that are over; null where none is left. Pure. */
export function withoutAttention(
  stored: string | null,
  isOver: (attention: Attention) => boolean,
): string | null {
  const left = linesOf(stored).filter((line) => !isOver(readLine(line)));
  return left.length === 0 ? null : left.join('\n');
}

/** Why a person must look at a payment, the oldest reason first. Pure. */
export function reasonsOf({ attentionReason }: Pick<PaymentRecord, 'attentionReason'>): AttentionReason[] {
  return linesOf(attentionReason).map((line) => readLine(line).reason);
}

/** Whether a person must look at a payment for this reason. Pure. */
export function needsFor(payment: Pick<PaymentRecord, 'attentionReason'>, reason: AttentionReason): boolean {
  return reasonsOf(payment).includes(reason);
}

/** The answer for which a person must look for this reason; undefined where they need not, or no answer caused it. Pure. */
export function disputedAnswer(
  { attentionReason }: Pick<PaymentRecord, 'attentionReason'>,
  reason: AttentionReason,
): string | undefined {
  return linesOf(attentionReason)
    .map(readLine)
    .find((attention) => attention.reason === reason)?.answer;
}

/** Whether a person has settled just this answer, so that it raises no attention again. Pure. */
export function isSettled({ settledAnswer }: Pick<PaymentRecord, 'settledAnswer'>, answer: string): boolean {
  return linesOf(settledAnswer).includes(answer.replaceAll('\n', ' '));
}

/** The answers that made a person look for this reason, and those that a person has settled, whatever for. Pure. */
export function toldAnswers(
  payment: Pick<PaymentRecord, 'attentionReason' | 'settledAnswer'>,
  reason: AttentionReason,
): string[] {
  const disputed = disputedAnswer(payment, reason);
  return [...(disputed === undefined ? [] : [disputed]), ...linesOf(payment.settledAnswer)];
}

/** The answers that a person has settled by a word which leaves a payment as `after`. What still needs attention is not settled. Pure. */
export function settledAnswer(before: PaymentRecord, after: PaymentRecord): string | null {
  const settled = linesOf(before.attentionReason)
    .map(readLine)
    .flatMap(({ reason, answer }) => (answer === undefined || needsFor(after, reason) ? [] : [answer]));
  return settled.length === 0 ? before.settledAnswer : settled.join('\n');
}

function linesOf(stored: string | null): string[] {
  return stored?.split('\n') ?? [];
}

function readLine(line: string): Attention {
  const blank = line.indexOf(' ');
  const reason = (blank < 0 ? line : line.slice(0, blank)) as AttentionReason;
  return blank < 0 ? { reason } : { reason, answer: line.slice(blank + 1) };
}

/** When a hold that nobody has settled by then needs attention; undefined where nothing is held. Pure. */
export function holdNeedsAttentionAt({ status, heldSince, createdAt }: PaymentRecord): number | undefined {
  return status === 'authorized' ? (heldSince ?? createdAt) + HOLD_ATTENTION_AFTER : undefined;
}
