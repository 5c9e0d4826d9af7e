import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { wholeOf } from './answer.js';
import { dispute } from './proposed-transition.js';
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
export function isAfterSuccess({ meaning }: GatewayAnswer): boolean {
  return meaning === 'refunded' || meaning === 'partiallyRefunded' || meaning === 'chargedBack';
}

/**
 * What a status answer `refunded`, `partiallyRefunded` or `chargedBack` means. They are facts beside the status, which they
 * never move: only an explicit success makes a payment paid. About a payment that we hold as not paid they contradict what
 * is known, and a person must look. Pure.
 */
export function interpretAfterSuccess(
  answer: GatewayAnswer,
  inquiry: StatusInquiry,
  refunding: Refunding,
): PaymentUpdate {
  const { payment, openOperations } = inquiry;
  // The whole was reversed, which some gateways call by this name.
  if (payment.status === 'voided' && answer.meaning === 'refunded')
    return { answered: true, conclusive: true };
  const heard: PaymentUpdate = {
    answered: true,
    ...(answer.meaning === 'chargedBack' && { disputed: true }),
  };
  if (payment.status !== 'succeeded') return { ...heard, ...dispute(payment, 'refund_of_unpaid', answer) };
  const unclear =
    answer.meaning === 'refunded' && answer.refundedAmount === undefined && !refunding.mayBeWhole;
  const { attention, ...given } = unclear
    ? dispute(payment, 'refund_unclear', answer)
    : refundIn(answer, payment, wholeOf(payment));
  const raises = attention && (unclear || !refunding.open);
  const facts: PaymentUpdate = { ...heard, ...given, ...(raises && { attention }) };
  // Was it the void that gave it back? Nobody but a person can tell.
  if (openOperations.length > 0) return { ...facts, ...dispute(payment, 'refund_beside_operation', answer) };
  return { ...facts, conclusive: facts.attention === undefined };
}

/** What a success, of `whole`, says besides of what has been given back of it. */
export function refundBesideSuccess(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  whole: bigint,
): Pick<PaymentUpdate, 'refunded' | 'attention'> {
  return answer.refundedAmount === undefined ? {} : refundIn(answer, payment, whole);
}

/** What a reversal of a part means: the payment stays paid. A void that is open is not confirmed by it. */
export function interpretPartialReversal(
  answer: GatewayAnswer,
  reversed: bigint,
  { payment, openOperations }: Pick<StatusInquiry, 'payment' | 'openOperations'>,
): PaymentUpdate {
  const named = refundBesideSuccess(answer, payment, wholeOf(payment) ?? 0n);
  return {
    answered: true,
    conclusive: openOperations.length === 0,
    refunded: reversed,
    ...named,
    ...(openOperations.length > 0 && dispute(payment, 'refund_beside_operation', answer)),
  };
}

function refundIn(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  whole: bigint | undefined,
): Pick<PaymentUpdate, 'refunded' | 'attention'> {
  const refunded = readRefunded(answer, whole, payment.amount);
  if (refunded === undefined) return {};
  if (refunded !== 'unclear') return { refunded };
  // Where all of it is known to have been given back there is nothing left to learn.
  const known = whole !== undefined && payment.amountRefunded !== null && payment.amountRefunded >= whole;
  // What was given back here is what it means, as far as anybody can tell.
  if (answer.refundedAmount === undefined && payment.refundsMade > 0 && payment.amountRefunded !== null)
    return {};
  return known ? {} : dispute(payment, 'refund_unclear', answer);
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
