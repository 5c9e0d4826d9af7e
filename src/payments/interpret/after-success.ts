import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { disputedAnswer, isSettled, type AttentionReason } from '../state/attention.js';
import { isVoidDoubtful } from '../state/operation-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { answerKey, wholeOf } from './answer.js';
import { dispute } from './proposed-transition.js';
import { heldInSum, ownRefunds } from './own-refunds.js';
import type { StatusInquiry } from './status-answer.js';

/** What was given back according to an answer: minor units, or `unclear` where it says that something was but not what. */
type Refunded = bigint | 'unclear' | undefined;

/** What refunds of this service's own have to do with an answer. */
export interface Refunding {
  /** A refund is open, which explains that something was given back. */
  open: boolean;
  /** The word `refunded`, without a sum, may say that all of it was given back. */
  mayBeWhole: boolean;
}

/** Whether an answer says what became of a payment after its success. */
export function isAfterSuccess({ meaning }: Pick<GatewayAnswer, 'meaning'>): boolean {
  return meaning === 'refunded' || meaning === 'partiallyRefunded' || isAboutDispute(meaning);
}

function isAboutDispute(meaning: GatewayAnswer['meaning']): boolean {
  return meaning === 'chargedBack' || meaning === 'disputeWon';
}

/**
 * What a status answer `refunded`, `partiallyRefunded`, `chargedBack` or `disputeWon` means. They are facts beside the status, which they
 * never move: only an explicit success makes a payment paid. About a payment that we hold as not paid they contradict what
 * is known, and a person must look. Pure.
 */
export function interpretAfterSuccess(
  answer: GatewayAnswer,
  inquiry: StatusInquiry,
  refunding: Refunding,
): PaymentUpdate {
  const { payment, openOperations, settledRefunds = [] } = inquiry;
  // The whole was reversed, which some gateways call by this name.
  if (payment.status === 'voided' && answer.meaning === 'refunded')
    return { answered: true, conclusive: true };
  const heard: PaymentUpdate = {
    answered: true,
    ...(answer.meaning === 'chargedBack' && chargeback(answer, payment)),
    ...(answer.meaning === 'disputeWon' && { disputeWon: true }),
  };
  if (payment.status !== 'succeeded') return { ...heard, ...dispute(payment, 'refund_of_unpaid', answer) };
  const unclear =
    answer.meaning === 'refunded' && answer.refundedAmount === undefined && !refunding.mayBeWhole;
  const { attention, ...given } = unclear
    ? dispute(payment, 'refund_unclear', answer)
    : refundIn(answer, payment, wholeOf(payment), settledRefunds);
  const raises = attention && (unclear || !refunding.open);
  const facts: PaymentUpdate = {
    ...heard,
    ...given,
    ...(raises && { attention }),
  };
  // Was it the void that gave it back? Nobody but a person can tell.
  if (openOperations.length > 0) return { ...facts, ...dispute(payment, 'refund_beside_operation', answer) };
  return { ...facts, conclusive: facts.attention === undefined };
}

/** What a chargeback says: an amount that cannot be is none. */
function chargeback(
  { disputedAmount }: GatewayAnswer,
  payment: PaymentRecord,
): Pick<PaymentUpdate, 'disputed' | 'disputedAmount'> {
  const isKnown = typeof disputedAmount === 'bigint' && disputedAmount > 0n;
  const fits = isKnown && disputedAmount <= (wholeOf(payment) ?? payment.amount);
  return { disputed: true, ...(fits && { disputedAmount }) };
}

/**
 * Why a person must look at a reversal of the whole: what was charged back, or given back while a void was thought to have failed, the
 * payer has got twice. Pure.
 */
export function givenBackBefore(payment: PaymentRecord): AttentionReason | undefined {
  const refunded = (payment.amountRefunded ?? 0n) > 0n && isVoidDoubtful(payment);
  const twice = payment.status === 'succeeded' && (payment.disputed || refunded);
  return twice ? 'refund_beside_operation' : undefined;
}

/**
 * What a success of a payment means that was charged back: where the profile says so, that the dispute was won. Otherwise a person must
 * look: it may be old news.
 */
export function successBesideDispute(
  answer: GatewayAnswer,
  payment: PaymentRecord,
): Pick<PaymentUpdate, 'disputeWon' | 'attention'> {
  if (payment.status !== 'succeeded' || !payment.disputed) return {};
  return answer.endsDispute ? { disputeWon: true } : dispute(payment, 'dispute_contradicted', answer);
}

/** What a success, of `whole`, says besides of what has been given back of it. */
export function refundBesideSuccess(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  whole: bigint,
  settledRefunds: readonly OperationRecord[] = [],
): Pick<PaymentUpdate, 'refunded' | 'attention'> {
  return answer.refundedAmount === undefined ? {} : refundIn(answer, payment, whole, settledRefunds);
}

/**
 * What a reversal of a part means: the payment stays paid. A void that is open is not confirmed by it. Where something was given back
 * before, here or at the gateway, and the answer does not say how much was in all, nobody can tell whether the reversal is
 * besides that or holds it. It counts as besides, which leaves less to give back, and a person must look. A sum that only the gateway has
 * named and that the reversal repeats is the reversal itself, heard again.
 */
export function interpretPartialReversal(
  answer: GatewayAnswer,
  reversed: bigint,
  {
    payment,
    openOperations,
    settledRefunds = [],
  }: Pick<StatusInquiry, 'payment' | 'openOperations' | 'settledRefunds'>,
): PaymentUpdate {
  const whole = wholeOf(payment) ?? 0n;
  const known = payment.amountRefunded ?? 0n;
  const own = answer.refundedAmount === undefined ? ownRefunds(settledRefunds) : 0n;
  const again = isAbout(payment, answer) || isSettled(payment, answerKey(answer));
  const besides = answer.refundedAmount === undefined && !again && known !== reversed ? known : own;
  const together = besides + reversed < whole ? besides + reversed : whole;
  const news = besides > 0n && together > known;
  const unclear = news || isAbout(payment, answer);
  const named = refundBesideSuccess(answer, payment, whole, settledRefunds);
  return {
    answered: true,
    conclusive: openOperations.length === 0,
    refunded: again && together < known ? known : together,
    ...named,
    ...(unclear && dispute(payment, 'refund_unclear', answer)),
    ...(openOperations.length > 0 && dispute(payment, 'refund_beside_operation', answer)),
  };
}

/** Whether the payment needs attention because of just this answer. */
function isAbout(payment: PaymentRecord, answer: GatewayAnswer): boolean {
  return disputedAnswer(payment, 'refund_unclear') === answerKey(answer);
}

function refundIn(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  whole: bigint | undefined,
  settledRefunds: readonly OperationRecord[],
): Pick<PaymentUpdate, 'refunded' | 'attention'> {
  const said = readRefunded(answer, whole, payment.amount);
  const held = typeof said === 'bigint' ? heldInSum(settledRefunds, said, payment.amountRefunded ?? 0n) : 0n;
  const refunded = typeof said === 'bigint' ? above(said, held) : said;
  if (refunded === undefined) return {};
  if (refunded !== 'unclear') return { refunded };
  // Where all of it is known to have been given back there is nothing left to learn.
  const known = whole !== undefined && payment.amountRefunded !== null && payment.amountRefunded >= whole;
  // What was given back here is what it means, as far as anybody can tell.
  if (answer.refundedAmount === undefined && payment.refundsMade > 0 && payment.amountRefunded !== null)
    return {};
  return known ? {} : dispute(payment, 'refund_unclear', answer);
}

/** What is left of a sum without what it only seems to hold; undefined where nothing is. */
function above(said: bigint, held: bigint): bigint | undefined {
  return said > held ? said - held : undefined;
}

function readRefunded(
  { meaning, refundedAmount: named }: GatewayAnswer,
  whole: bigint | undefined,
  amount: bigint,
): Refunded {
  const says = meaning === 'refunded' || meaning === 'partiallyRefunded';
  if (named === undefined) return meaning === 'refunded' ? whole : says ? 'unclear' : undefined;
  if (named === 'unreadable' || named > (whole ?? amount)) return 'unclear';
  if (named === 0n) return says ? 'unclear' : undefined;
  return named;
}
