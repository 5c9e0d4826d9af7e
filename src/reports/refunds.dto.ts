import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText, IsMoment } from '../http/validation/validators.js';
import { formatMajor } from '../money/money.js';
import { PaymentRefundDto, REFUND_STATUSES } from '../payments/views/refund.dto.js';
import type { AnyRefund, RefundStatus } from './all-refunds.repository.js';

/** Which refunds to list. */
export class RefundsQueryDto {
  /** Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;

  /** Only those in this status. */
  @IsOptional()
  @IsIn(REFUND_STATUSES)
  status?: RefundStatus;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** A refund of any payment. */
export class AnyRefundDto extends PaymentRefundDto {
  /** The payment's. */
  reference: string;
  /** @example "NGN" */
  currency: string;
  /**
   * `merchant`: made here. `gateway`: made at the gateway's own dashboard; its `id` is that of its movement, and its `createdAt` is when it was
   * made, as far as that is known. It is `failed` once it is known that it was one of yours, or none.
   */
  source: 'merchant' | 'gateway';
  /** Who asked for it, as timelines name them; `gateway` where it was made at the gateway's own dashboard. */
  actor: string;
}

export class AllRefundsDto {
  /** The newest first. */
  data: AnyRefundDto[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** A refund as it is shown, built field by field. */
export function viewAnyRefund(refund: AnyRefund): AnyRefundDto {
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    reference: refund.reference,
    amount: formatMajor(refund.amount, refund.currency),
    currency: refund.currency,
    status: refund.status,
    source: refund.source,
    actor: refund.actor,
    reason: refund.reason,
    createdAt: new Date(refund.at).toISOString(),
  };
}

const refunded = {
  id: 'ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  reference: 'ORDER-1001',
  amount: '500.00',
  currency: 'NGN',
  status: 'succeeded',
  source: 'merchant',
  actor: 'merchant:anna',
  reason: 'One of two books was out of stock.',
  createdAt: '2031-01-31T16:20:00.000Z',
};

/** A refund that was made here, and one of the gateway's dashboard, for the description of the API. */
export const REFUNDS_EXAMPLE = {
  data: [
    {
      ...refunded,
      id: 'mov_8Yl0aZ4mTsWv3r6KgY9qPc2D',
      amount: '200.00',
      source: 'gateway',
      actor: 'gateway',
      reason: null,
      createdAt: '2031-01-31T18:00:00.000Z',
    },
    refunded,
  ],
  nextCursor: null,
};
