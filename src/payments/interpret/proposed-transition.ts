import type { GatewayAnswer, GatewayResult, UnlistedAnswer } from '../../gateway/gateway-result.js';
import type { Failure, PaymentRecord, ReferenceRecord } from '../../store/schema.js';
import { answerKey, refundedOfUnpaid, type Mismatch } from './answer.js';
import { isSettled, type AttentionReason } from '../state/attention.js';
import { canMove, isClosedUnpaid, isLive } from '../state/payment-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { formatMajor, minorDigits } from '../../money/money.js';

export type Target = 'succeeded' | 'authorized' | 'failed' | 'expired' | 'voided';

/**
 * Moves a payment to the status that the gateway reports, if the state table and the other payments of its reference
 * allow it. A stale answer is ignored. A contradicting answer moves nothing and raises attention. A hold of an order that
 * another payment has paid meanwhile raises it too.
 */
export function proposeTransition(
  payment: PaymentRecord,
  reference: ReferenceRecord,
  target: Target,
  answer: GatewayAnswer,
  detail: { failure?: Failure; authorized?: bigint; captured?: bigint } = {},
): Pick<PaymentUpdate, 'move' | 'attention' | 'refunded'> {
  const { status } = payment;
  if (status === target) return {};
  // A hold that the payment is already past, and a refusal of a closed payment, say nothing new.
  if (target === 'authorized' && (status === 'succeeded' || status === 'voided')) return {};
  if ((target === 'failed' || target === 'expired') && isClosedUnpaid(status)) return {};
  if (target === 'authorized' && isClosedUnpaid(status)) {
    // Once a person has settled this hold it reopens nothing, also when the other payment is gone.
    const settled = isSettled(payment, answerKey(answer));
    if (settled || othersHoldOrPaid(payment, reference))
      return dispute(payment, 'hold_beside_another_payment', answer);
  }
  if (!canMove(status, target, 'gateway')) return dispute(payment, 'contradicting_answer', answer);
  const { paidAt } = answer;
  const at = target === 'succeeded' && paidAt !== undefined && { paidAt };
  const move = { to: target, by: 'gateway', ...detail, ...at } as const;
  // Late money has paid the order while this one was under way. It is recorded, for only a recorded hold can be voided.
  const needless = target === 'authorized' && isPaidBeside(payment, reference);
  return {
    move,
    ...(target === 'succeeded' && givenBackUnpaid(payment, answer, detail.captured ?? payment.amount)),
    ...(needless && dispute(payment, 'hold_beside_another_payment', answer)),
  };
}

/**
 * What was given back of a payment before it counted as paid: a success does not take that back, so it counts, and what was given back
 * whole pays no order. Where the success names a sum itself, the greater one counts.
 */
function givenBackUnpaid(
  payment: PaymentRecord,
  answer: GatewayAnswer,
  whole: bigint,
): Pick<PaymentUpdate, 'refunded' | 'attention'> {
  const told = refundedOfUnpaid(payment, whole);
  if (told === undefined) return {};
  const { refundedAmount: named } = answer;
  const said = typeof named === 'bigint' && named > 0n && named <= whole ? named : undefined;
  if (told === 'unclear') {
    return said === undefined ? dispute(payment, 'refund_unclear', answer) : { refunded: said };
  }
  const refunded = told < whole ? told : whole;
  return { refunded: said !== undefined && said > refunded ? said : refunded };
}

/** As much of an answer as tells one disputed answer from another. */
export type Disputed = Parameters<typeof answerKey>[0];

/** What a result says, also where it is not understood; undefined where it says nothing. */
export function saidIn(result: GatewayResult): Disputed | undefined {
  if (result.kind === 'answered') return result.answer;
  return result.kind === 'unknown' && result.said ? { meaning: result.reason, ...result.said } : undefined;
}

/** Raises attention, unless a person has already settled exactly this answer. */
export function dispute(
  payment: PaymentRecord,
  reason: AttentionReason,
  answer: Disputed,
): Pick<PaymentUpdate, 'attention'> {
  const key = answerKey(answer);
  return isSettled(payment, key) ? {} : { attention: { reason, answer: key } };
}

function othersHoldOrPaid(payment: PaymentRecord, reference: ReferenceRecord): boolean {
  return reference.livePaymentIds.some((id) => id !== payment.id) || isPaidBeside(payment, reference);
}

function isPaidBeside({ id }: PaymentRecord, { paidPaymentIds }: ReferenceRecord): boolean {
  return paidPaymentIds.some((paid) => paid !== id);
}

/** Whether the payer or the gateway still has something to do. An answer "waiting" matters only then. */
export function mayWait(payment: PaymentRecord): boolean {
  return isLive(payment.status) && payment.status !== 'authorized';
}

/** What the gateway said of the money, for whoever compares it with what was asked for. Pure. */
export function saidOf(answer: Disputed, payment: PaymentRecord): Record<string, string> {
  const { meaning, amount } = answer;
  const currency = (answer.currency ?? payment.currency).toUpperCase();
  const isMoney = typeof amount === 'bigint' && minorDigits(currency) !== undefined;
  return { meaning, ...(isMoney && { amount: formatMajor(amount, currency), currency }) };
}

/**
 * What follows from an answer that names another reference, amount or currency: it is about another payment, so nothing is
 * moved and no operation is settled, whatever it says. A person must look. It counts as an answer, so the payment can no
 * longer be closed as never received. Pure.
 */
export function foreignAnswer(
  payment: PaymentRecord,
  answer: Disputed,
  differing: readonly Mismatch[],
): PaymentUpdate {
  return {
    answered: true,
    timelineNote: { type: 'mismatch', detail: { differs: differing.join(' '), ...saidOf(answer, payment) } },
    ...dispute(payment, 'mismatch', answer),
  };
}

/** Longer words are cut: a person reads them in a timeline. */
const MAX_WORD = 64;

/** What follows from an answer that says nothing clear: a line in the timeline. */
export function inconclusive(reason: string): PaymentUpdate {
  return { timelineNote: { type: 'inconclusive', detail: { reason } } };
}

/**
 * What follows from a word that the profile does not list. After a success or a hold it may say that the money went
 * elsewhere, so a person must look, once for each word. Pure.
 */
export function unlistedWord(said: UnlistedAnswer, payment: PaymentRecord): PaymentUpdate {
  const word = said.word.slice(0, MAX_WORD);
  const note: PaymentUpdate = {
    timelineNote: { type: 'inconclusive', detail: { reason: 'unrecognised', ...(word && { word }) } },
  };
  const moneyMoved = payment.status === 'succeeded' || payment.status === 'authorized';
  if (!moneyMoved || payment.unlistedWord === word) return note;
  return {
    ...note,
    unlistedWord: word,
    ...dispute(payment, 'unlisted_word', { ...said, meaning: `unlisted ${word}` }),
  };
}
