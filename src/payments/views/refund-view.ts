import { formatMajor } from '../../money/money.js';
import type { OperationRecord, OperationStatus } from '../../store/schema.js';
import type { PaymentRefundDto, RefundStatus } from './refund.dto.js';

const STATUSES: Readonly<Record<OperationStatus, RefundStatus>> = {
  intended: 'processing',
  unknown: 'processing',
  confirmed: 'succeeded',
  refused: 'failed',
};

/** A refund as it is shown, built field by field. */
export function viewRefund(refund: OperationRecord, currency: string): PaymentRefundDto {
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    amount: formatMajor(refund.amount ?? 0n, currency),
    status: STATUSES[refund.status],
    reason: refund.reason,
    createdAt: new Date(refund.createdAt).toISOString(),
  };
}
