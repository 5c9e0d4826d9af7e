import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsPlainText } from '../http/validation/validators.js';
import { PageDto, PageQueryDto } from '../payments/api/paging.dto.js';
import { RefundDto } from '../payments/core/payment.dto.js';

export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A refund that one person asked for and another one has to approve. */
export class ApprovalDto {
  /** @example "apr_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /** `expired`: nobody decided within 7 days. */
  @ApiProperty({ enum: APPROVAL_STATES, enumName: 'ApprovalState' })
  state: ApprovalState;
  /**
   * Decimal, in major units.
   * @example "750000.00"
   */
  amount: string;
  currency: string;
  paymentId: string;
  reference: string;
  /** What the asker wrote. */
  reason: string | null;
  /** Who asked: `merchant`, or `merchant:<name>` for a named key. */
  askedBy: string;
  decidedBy: string | null;
  /** RFC 3339, UTC. */
  decidedAt: string | null;
  createdAt: string;
  /** Until when it can be approved. */
  expiresAt: string;
  /** What the person who decided wrote. */
  note: string | null;
}

/** An approval, and the refund that followed from it. */
export class ApprovedDto {
  approval: ApprovalDto;
  /** Null until it is approved. */
  result: RefundDto | null;
}

export class ApprovalListDto extends PageDto {
  /** Newest first. */
  data: ApprovalDto[];
}

export class ApprovalsQueryDto extends PageQueryDto {
  @IsOptional()
  @IsIn(APPROVAL_STATES)
  state?: ApprovalState;

  @IsOptional()
  @Matches(/^pay_\w{1,60}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;
}

export class DecisionDto {
  /**
   * Why, for your own records: at most 500 characters.
   * @example "Checked with the warehouse."
   */
  @IsOptional()
  @IsPlainText(500)
  note?: string;
}
