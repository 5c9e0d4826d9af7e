import type { GatewayAnswer, GatewayMeaning, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord, ReferenceRecord, SessionRecord } from '../../store/schema.js';
import { differences, isPart, mismatches, ownAmounts, partialReversal, type Mismatch } from './answer.js';

/** What the answer to a status query is read against. */
export interface StatusInquiry {
  /** With the time that was seen to pass until this answer. */
  payment: PaymentRecord;
  reference: ReferenceRecord;
  session: SessionRecord;
  /** The payment's operations that are `unknown`. */
  openOperations: readonly OperationRecord[];
  mode: 'test' | 'live';
  now: number;
  /** How long the gateway must deny an operation or a payment before it counts as not received. */
  graceMs: number;
  /** Whether the gateway can be asked about one refund. Then nothing else says what became of it. */
  asksRefunds: boolean;
}

/** How a status answer reads, in the words by which callers decide. */
export type Reading = 'paid' | 'held' | 'not-paid' | 'waiting' | 'inconclusive';

/**
 * Classifies the result of a status query. Whatever is not a clear answer of the gateway about this payment is
 * inconclusive.
 */
export function readStatus(result: GatewayResult, inquiry: StatusInquiry): Reading {
  if (result.kind !== 'answered' || differing(result.answer, inquiry).length > 0) return 'inconclusive';
  return readMeaning(result.answer.meaning);
}

/** The same of an answer that is about this payment. */
export function readMeaning(meaning: GatewayMeaning): Reading {
  switch (meaning) {
    case 'succeeded':
      return 'paid';
    case 'authorized':
      return 'held';
    case 'failed':
    case 'expired':
    case 'voided':
      return 'not-paid';
    case 'processing':
    case 'otp':
    case 'pin':
    case 'unsupported':
    case 'redirect':
      return 'waiting';
    case 'refunded':
    case 'partiallyRefunded':
    case 'chargedBack':
    case 'disputeWon':
    case 'refused':
    case 'undecided':
    case 'unknownTransaction':
      return 'inconclusive';
  }
}

/** Whether the result says that the payment's own money was taken, whatever was given back of it since. */
export function saysTaken(result: GatewayResult, inquiry: StatusInquiry): boolean {
  if (result.kind !== 'answered' || differing(result.answer, inquiry).length > 0) return false;
  const { meaning } = result.answer;
  return meaning === 'succeeded' || meaning === 'partiallyRefunded' || meaning === 'refunded';
}

/** By what an answer shows that it is about another payment, or about other money than this payment's. */
export function differing(answer: GatewayAnswer, inquiry: StatusInquiry): Mismatch[] {
  const { payment, openOperations } = inquiry;
  switch (answer.meaning) {
    case 'unknownTransaction':
      return [];
    case 'succeeded':
      return mismatches(answer, payment, rightAmounts(inquiry));
    case 'authorized':
      return mayBeHeld(payment)
        ? mismatches(answer, payment, [payment.amount])
        : differences(answer, payment, ownAmounts(payment, openOperations));
    case 'voided': {
      const namesPart = partialReversal(answer, payment) !== undefined && isPart(answer.amount, payment);
      return differences(
        namesPart ? { ...answer, amount: undefined } : answer,
        payment,
        ownAmounts(payment, openOperations),
      );
    }
    default:
      return differences(answer, payment, ownAmounts(payment, openOperations));
  }
}

/** Whether a hold would be news. Then it must name the payment's own money. */
function mayBeHeld({ status }: PaymentRecord): boolean {
  return status !== 'authorized' && status !== 'succeeded' && status !== 'voided';
}

/** The amounts that a success of this payment may name, in minor units. */
export function rightAmounts({ payment, openOperations }: StatusInquiry): bigint[] {
  const completion = openOperations.find(({ type }) => type === 'complete');
  if (completion?.amount != null) return [completion.amount];
  if (payment.status === 'succeeded') return [payment.amountCaptured ?? payment.amount, payment.amount];
  return [payment.amount];
}
