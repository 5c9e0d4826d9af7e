import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { isVoidDoubtful } from '../state/operation-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { partialReversal, wholeOf } from './answer.js';
import { dispute } from './proposed-transition.js';
import { mayHoldRefused } from './settled-refunds.js';

/**
 * A gateway may call a payment reversed whose whole amount was given back by refunds. Where refunds were made here, such a word
 * is about them: a payment stays paid, however much was given back. Pure.
 */
export function asRefund(
  answer: GatewayAnswer,
  payment: PaymentRecord,
  refund: OperationRecord | undefined,
): GatewayAnswer {
  const reversed = answer.meaning === 'voided' && payment.status === 'succeeded';
  const refunds = refund !== undefined || (payment.refundsMade > 0 && (payment.amountRefunded ?? 0n) > 0n);
  if (!reversed || !refunds || partialReversal(answer, payment) !== undefined) return answer;
  return { ...answer, meaning: 'refunded' };
}

/**
 * Whether a payment that is called refunded, without a sum, may be so in whole: not where a refund of less than the rest is open, to
 * which the word may point, nor where it is a reversal of the whole after a part was refunded. That may be a void that was taken
 * for refused. Pure.
 */
export function mayBeWhole(
  { meaning }: GatewayAnswer,
  payment: PaymentRecord,
  refund: OperationRecord | undefined,
): boolean {
  if (!refund && meaning !== 'voided') return true;
  return (payment.amountRefunded ?? 0n) + (refund?.amount ?? 0n) >= (wholeOf(payment) ?? 0n);
}

/**
 * A reversal of the whole that is read as refunds, `read` being the answer as it is read, while a void that time has ended may have been
 * done: the money may have been given back twice, so a person must look. Pure.
 */
export function withDoubtfulVoid(
  update: PaymentUpdate,
  said: GatewayAnswer,
  { answer: read, payment }: { answer: GatewayAnswer; payment: PaymentRecord },
): PaymentUpdate {
  if (!update.answered || said.meaning === read.meaning || !isVoidDoubtful(payment)) return update;
  return { ...update, ...dispute(payment, 'refund_beside_operation', read) };
}

/**
 * What a status answer says of a refund whose outcome is open, besides what it says of the payment: where the gateway can be
 * asked about the refund itself, nothing, and a sum that may hold it counts only without it; otherwise a rise of what was given back, of just the refund's amount, says that it
 * was done. A smaller rise is somebody else's refund. A greater one may hold this refund or not, so a person decides; so does one
 * where the gateway did not say just before the refund how much it had given back, for the rise may be older, and one besides this
 * refund not less than another that counts as failed. Nothing says that it was not done. Pure.
 */
export function withOpenRefund(
  update: PaymentUpdate,
  {
    answer,
    payment,
    refund,
    settled,
    asksRefunds,
  }: {
    answer: GatewayAnswer;
    payment: PaymentRecord;
    refund: OperationRecord;
    /** Refunds whose outcome is known. */
    settled: readonly OperationRecord[];
    asksRefunds: boolean;
  },
): PaymentUpdate {
  if (!update.answered) return update;
  const { conclusive = false, ...open } = update;
  const known = payment.amountRefunded ?? 0n;
  const rise = update.refunded === undefined ? 0n : update.refunded - known;
  if (rise <= 0n || refund.amount === null) return open;
  const others = rise < refund.amount ? rise : rise - refund.amount;
  const contradicted = mayHoldRefused(settled, others) && dispute(payment, 'refund_contradicted', answer);
  if (rise < refund.amount) return { ...open, ...contradicted };
  if (asksRefunds) {
    const { refunded = 0n, ...unsaid } = open;
    return others > 0n ? { ...open, refunded: refunded - refund.amount, ...contradicted } : unsaid;
  }
  // What had been given back before is not clear, or more than this refund was since, or a part was reversed, which may be besides.
  const besides = answer.meaning === 'voided' && answer.refundedAmount === undefined;
  if (rise > refund.amount || !refund.refundBaselineSaid || besides)
    return { ...open, ...dispute(payment, 'refund_doubtful', answer) };
  return {
    ...open,
    conclusive,
    operations: [
      ...(update.operations ?? []),
      { id: refund.id, status: 'confirmed', inferred: true, inSum: true },
    ],
  };
}
