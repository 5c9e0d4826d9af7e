import { formatMajor } from '../../money/money.js';
import { isDeclineReason } from '../../gateway/profile/format.js';
import type { Failure, PaymentRecord, TimelineRecord } from '../../store/schema.js';
import { amountReceived, countedAmounts } from '../state/money-held.js';
import { reasonsOf } from '../state/attention.js';
import type { PaymentDto, TimelineEntryDto, TimelineDto } from './payment.dto.js';

/** Builds the view field by field, so that nothing that is stored comes out by accident. */
export function viewPayment(payment: PaymentRecord, livemode: boolean): PaymentDto {
  const major = (minor: bigint | null): string | null =>
    minor === null ? null : formatMajor(minor, payment.currency);
  const { refunded, disputed } = countedAmounts(payment);
  return {
    id: payment.id,
    livemode,
    sessionId: payment.sessionId,
    reference: payment.reference,
    gatewayReference: payment.gatewayReference,
    method: payment.method,
    status: payment.status,
    amount: formatMajor(payment.amount, payment.currency),
    amountAuthorized: major(payment.amountAuthorized),
    amountCaptured: major(payment.amountCaptured),
    amountRefunded: major(refunded),
    amountReceived: payment.needsAttention ? major(amountReceived(payment)) : null,
    disputed: payment.disputed,
    amountDisputed: major(disputed),
    currency: payment.currency,
    nextAction: payment.nextAction,
    pendingOperation: payment.pendingOperation,
    duplicateOf: payment.duplicateOf,
    needsAttention: payment.needsAttention,
    attentionReasons: payment.needsAttention ? reasonsOf(payment) : [],
    failure: viewFailure(payment.failure),
    card: payment.cardLast4 === null ? null : { brand: payment.cardBrand, last4: payment.cardLast4 },
    metadata: payment.metadata,
    paidAt: paidAt(payment),
    createdAt: new Date(payment.createdAt).toISOString(),
    updatedAt: new Date(payment.updatedAt).toISOString(),
  };
}

/** Failures of versions before 0.3.0 have no reason. */
function viewFailure(failure: Failure | null): PaymentDto['failure'] {
  if (!failure) return null;
  const { code, message, reason, gatewayCode, retryable } = failure;
  return {
    code,
    message,
    reason: isDeclineReason(reason) ? reason : null,
    ...(gatewayCode !== undefined && { gatewayCode }),
    retryable,
  };
}

/** Of payments of versions before 0.3.0 it is known when they were closed. */
function paidAt({ paidAt: at, status, closedAt }: PaymentRecord): string | null {
  const known = at ?? (status === 'succeeded' ? closedAt : null);
  return known === null ? null : new Date(known).toISOString();
}

/**
 * What a payer's link back from the bank shows, which may have got into other hands: how the payment ended, but nothing by which it could be
 * gone on with, nothing of the payer's card and nothing that the merchant noted.
 */
export function outcomeOnly(view: PaymentDto): PaymentDto {
  return { ...view, nextAction: null, card: null, metadata: {}, attentionReasons: [] };
}

/** One entry of a timeline as it is shown. */
export function viewTimeline(entry: TimelineRecord): TimelineEntryDto {
  return {
    id: entry.id,
    type: entry.type,
    at: new Date(entry.at).toISOString(),
    ...(entry.fromStatus !== null && { from: entry.fromStatus }),
    ...(entry.toStatus !== null && { to: entry.toStatus }),
    ...(entry.late && { late: true }),
    ...(entry.actor !== null && { actor: entry.actor }),
    ...(entry.detail !== null && { detail: entry.detail }),
  };
}
