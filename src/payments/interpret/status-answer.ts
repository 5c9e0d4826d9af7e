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
  /** Its refunds whose outcome is known, where they were read. */
  settledRefunds?: readonly OperationRecord[];
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

/** How each meaning of a status answer reads that is about this payment. */
const READINGS: Readonly<Record<GatewayMeaning, Reading>> = {
  succeeded: 'paid',
  authorized: 'held',
  failed: 'not-paid',
  expired: 'not-paid',
  voided: 'not-paid',
  processing: 'waiting',
  otp: 'waiting',
  pin: 'waiting',
  unsupported: 'waiting',
  redirect: 'waiting',
  refunded: 'inconclusive',
  partiallyRefunded: 'inconclusive',
  chargedBack: 'inconclusive',
  disputeWon: 'inconclusive',
  refused: 'inconclusive',
  undecided: 'inconclusive',
  referenceUsed: 'inconclusive',
  unknownTransaction: 'inconclusive',
};

/** The same of an answer that is about this payment. */
export function readMeaning(meaning: GatewayMeaning): Reading {
  return READINGS[meaning];
}

/** What says that money was taken, whatever has become of it since. */
const TAKEN: readonly GatewayMeaning[] = [
  'succeeded',
  'partiallyRefunded',
  'refunded',
  'chargedBack',
  'disputeWon',
];

/** Whether the result says that the payment's own money was taken, whatever was given back or charged back of it since. */
export function saysTaken(result: GatewayResult, inquiry: StatusInquiry): boolean {
  if (result.kind !== 'answered' || differing(result.answer, inquiry).length > 0) return false;
  const { answer } = result;
  // What was reversed in part was taken, and the rest of it is there.
  return TAKEN.includes(answer.meaning) || partialReversal(answer, inquiry.payment) !== undefined;
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
