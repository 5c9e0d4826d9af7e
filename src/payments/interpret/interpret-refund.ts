import type { GatewayAnswer, GatewayResult } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { AttentionReason } from '../state/attention.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { differences, wholeOf, type Mismatch } from './answer.js';
import { saidOf, dispute, saidIn, type Disputed } from './proposed-transition.js';
import { heldInSum, mayHoldRefused } from './own-refunds.js';

/** What the gateway's answer about a refund is read against. */
export interface RefundCall {
  payment: PaymentRecord;
  operation: OperationRecord;
  /** Refunds of the payment whose outcome is known. */
  settledRefunds?: readonly OperationRecord[];
}

/**
 * What the answer to a question about one refund means: it alone says whether the refund was done, and it is open until then,
 * however long that takes. Pure.
 */
export function interpretRefundStatus(result: GatewayResult, call: RefundCall): PaymentUpdate {
  const foreign = foreignRefund(result, call);
  if (foreign) return foreign;
  if (result.kind !== 'answered') {
    return inconclusiveRefund(call, result.kind === 'unknown' ? result.reason : result.kind);
  }
  const { answer } = result;
  // What was heard of the payment while this refund may have been it is asked anew: a reversal of the whole, say.
  if (answer.meaning === 'failed') return { ...settledRefund(call, 'refused'), checkNow: true };
  const confirmed = refundConfirmed(call, answer);
  if (!confirmed) return inconclusiveRefund(call, answer.meaning);
  // What is known to have been given back does not hold this refund: its sum was counted only without it.
  const together = (call.payment.amountRefunded ?? 0n) + (call.operation.amount ?? 0n);
  const whole = wholeOf(call.payment) ?? together;
  const known = together < whole ? together : whole;
  return { ...confirmed, refunded: (confirmed.refunded ?? 0n) > known ? confirmed.refunded : known };
}

/**
 * What an answer to a refund means that was settled meanwhile, by another process or by a person. Where it contradicts what was
 * recorded, the money that it names counts as given back, and a person must look before more is given back: whether a refund
 * since has taken that money's place in the sum, nobody can tell. Undefined where nothing was sent or done. Pure.
 *
 * @param call the refund as it is recorded; one that is still `intended` or `unknown` in it was settled a moment ago, nobody
 * saw how
 */
export function interpretLateRefund(result: GatewayResult, call: RefundCall): PaymentUpdate | undefined {
  if (result.kind !== 'answered' && result.kind !== 'unknown') return undefined;
  if (result.kind === 'unknown' || foreignRefund(result, call)) return { checkNow: true };
  const { payment, operation } = call;
  const { answer } = result;
  const known: PaymentUpdate = { answered: true, checkNow: true };
  const contradicted = dispute(payment, 'refund_contradicted', answer);
  if (confirms(answer)) {
    if (operation.status === 'confirmed') return known;
    return {
      ...known,
      refunded: (operation.refundedBefore ?? 0n) + (operation.amount ?? 0n),
      ...refundTime(answer),
      ...contradicted,
    };
  }
  return answer.meaning === 'failed' && operation.status !== 'refused'
    ? { ...known, ...contradicted }
    : known;
}

/**
 * What the answer to a question about a refund means that was settled before. One that was done and has failed since has come back. One
 * that failed and was done after all needs a person, who settles each such word about each refund once. Pure.
 */
export function interpretRefundAgain(result: GatewayResult, call: RefundCall): PaymentUpdate {
  const { payment, operation } = call;
  const failed = result.kind === 'answered' && result.answer.meaning === 'failed';
  if (failed && operation.status === 'confirmed' && !foreignRefund(result, call)) {
    return { answered: true, operations: [cameBack(operation)] };
  }
  const said = interpretLateRefund(result, call);
  if (result.kind !== 'answered' || !said?.attention) return {};
  const { meaning } = result.answer;
  const about = { meaning, reference: operation.refundReference ?? undefined };
  return { refunded: said.refunded, answered: true, ...dispute(payment, 'refund_contradicted', about) };
}

/** How a refund that was done changes when it comes back. The gateway's sum may go on holding it. Pure. */
export function cameBack({ id }: OperationRecord): NonNullable<PaymentUpdate['operations']>[number] {
  return { id, status: 'refused', settled: { cameBack: true } };
}

/** Whether an answer about a refund says that the money was given back. */
function confirms({ meaning, amount, amountRequired }: GatewayAnswer): boolean {
  if (amount === undefined && amountRequired) return false;
  return meaning === 'refunded' || meaning === 'partiallyRefunded' || meaning === 'succeeded';
}

/**
 * What follows where an answer about a refund says that the money was given back. Undefined where it does not. Where more was given back
 * besides, not less than a refund that counts as failed, the payer may have got that money too, so a person must look. Pure.
 */
export function refundConfirmed(call: RefundCall, answer: GatewayAnswer): PaymentUpdate | undefined {
  if (!confirms(answer)) return undefined;
  const { payment, operation, settledRefunds = [] } = call;
  const known = (payment.amountRefunded ?? 0n) + (operation.amount ?? 0n);
  const sum = sumIn(answer, payment);
  const refunded = sum === undefined ? undefined : sum - heldInSum(settledRefunds, sum, known);
  const isContradicted = mayHoldRefused(settledRefunds, (refunded ?? 0n) - known);
  return {
    ...settledRefund(call, 'confirmed'),
    ...(refunded !== undefined && { refunded }),
    ...(isContradicted && dispute(payment, 'refund_contradicted', answer)),
    ...refundTime(answer),
  };
}

/** All that was given back, as an answer says; undefined where it says nothing that can be. */
function sumIn({ refundedAmount }: GatewayAnswer, payment: PaymentRecord): bigint | undefined {
  const whole = payment.amountCaptured ?? payment.amount;
  const fits = typeof refundedAmount === 'bigint' && refundedAmount > 0n && refundedAmount <= whole;
  return fits ? refundedAmount : undefined;
}

/** When money was given back, where the gateway says so. */
export function refundTime({ refundedAt }: GatewayAnswer): Pick<PaymentUpdate, 'refundedAt'> {
  return refundedAt === undefined ? {} : { refundedAt };
}

/** A refund's outcome is known. Pure. */
export function settledRefund({ operation }: RefundCall, status: 'confirmed' | 'refused'): PaymentUpdate {
  return {
    operations: [{ id: operation.id, status }],
    answered: true,
    conclusive: true,
    lifts: ABOUT_OPEN_REFUND,
  };
}

/** Why a payment needs attention because of a refund whose outcome is open. */
export const ABOUT_OPEN_REFUND: readonly AttentionReason[] = ['refund_doubtful'];

function inconclusiveRefund({ operation }: RefundCall, reason: string): PaymentUpdate {
  return { timelineNote: { type: 'inconclusive', detail: { operation: operation.type, reason } } };
}

/**
 * What follows from an answer that names another refund, or money that is not this refund's: nothing but that a person must
 * look. Undefined where it is about this one. A gateway may name the payment's reference in it or the refund's own.
 */
export function foreignRefund(
  result: GatewayResult,
  { payment, operation }: RefundCall,
): PaymentUpdate | undefined {
  const named = saidIn(result);
  if (!named || named.meaning === 'unknownTransaction') return undefined;
  const differs = refundDifferences(named, payment, operation);
  if (differs.length === 0) return undefined;
  return {
    timelineNote: {
      type: 'mismatch',
      detail: { operation: 'refund', differs: differs.join(' '), ...saidOf(named, payment) },
    },
    ...dispute(payment, 'refund_doubtful', named),
  };
}

function refundDifferences(named: Disputed, payment: PaymentRecord, operation: OperationRecord): Mismatch[] {
  const own = named.reference === operation.refundReference ? { ...named, reference: undefined } : named;
  return differences(own, payment, operation.amount === null ? [] : [operation.amount]);
}
