import { IsOptional } from 'class-validator';
import { IsDecimalAmount, Omittable, IsPlainText } from '../../http/validation/validators.js';
import { formatMajor } from '../../money/money.js';
import type { OperationRecord, OperationStatus } from '../../store/schema.js';

export const REFUND_STATUSES = ['processing', 'succeeded', 'failed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

export class RefundDto {
  /**
   * How much to give back: decimal, in major units, at most what is left. Without it, all that is left; `null` is refused.
   * @example "500.00"
   */
  @Omittable()
  @IsDecimalAmount()
  amount?: string;

  /**
   * Why, for your own books: at most 500 characters. The gateway does not get it. What looks like a card number or another
   * secret in it is removed before it is kept.
   * @example "One of two books was out of stock."
   */
  @IsOptional()
  @IsPlainText(500)
  reason?: string;
}

/** Money of a payment that was given back, or is about to be, because the merchant asked for it. */
export class PaymentRefundDto {
  /** @example "ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  paymentId: string;
  /**
   * Decimal, in major units, with all minor digits.
   * @example "500.00"
   */
  amount: string;
  /** `processing`: sent, or the outcome is not known yet. `succeeded`: given back. `failed`: nothing was given back by it, or it came back. */
  status: RefundStatus;
  reason: string | null;
  /** RFC 3339, UTC. */
  createdAt: string;
}

export class RefundListDto {
  /** The oldest first. */
  data: PaymentRefundDto[];
}

const STATUSES: Readonly<Record<OperationStatus, RefundStatus>> = {
  intended: 'processing',
  unknown: 'processing',
  confirmed: 'succeeded',
  refused: 'failed',
};

/** A refund as it is shown, built field by field. */
export function viewRefund(
  refund: OperationRecord,
  currency: string,
  texts: ReadonlyMap<string, string>,
): PaymentRefundDto {
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    amount: formatMajor(refund.amount ?? 0n, currency),
    status: STATUSES[refund.status],
    reason: refund.textId === null ? refund.reason : (texts.get(refund.textId) ?? null),
    createdAt: new Date(refund.createdAt).toISOString(),
  };
}
