import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsIntegerText, IsPlainText } from '../http/validation/validators.js';
import { PaymentRefundDto } from '../payments/views/refund.dto.js';
import { APPROVAL_STATES, type ApprovalState } from '../store/schema.js';

/** A refund that one person asked for and another one must approve. */
export class ApprovalDto {
  id: string;
  /** `expired`: nobody decided within 7 days. */
  @ApiProperty({ enum: APPROVAL_STATES, enumName: 'ApprovalState' })
  state: ApprovalState;
  /** @example "750000.00" */
  amount: string;
  currency: string;
  paymentId: string;
  /** The payment's. */
  reference: string;
  /** What the asker wrote. */
  reason: string | null;
  /** @example "merchant:anna" */
  askedBy: string;
  decidedBy: string | null;
  decidedAt: string | null;
  createdAt: string;
  expiresAt: string;
  /** What the person who decided wrote. */
  note: string | null;
}

export class ApprovedDto {
  approval: ApprovalDto;
  /** The refund, once it was approved. */
  @ApiProperty({ type: PaymentRefundDto, nullable: true })
  result: PaymentRefundDto | null;
}

/** The body of an answer that is either a refund or its approval. */
export const RefundOrApproval = {
  schema: { anyOf: [PaymentRefundDto, ApprovedDto].map((type) => ({ $ref: getSchemaPath(type) })) },
};

export class ApprovalListDto {
  /** Newest first. */
  data: ApprovalDto[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
}

export class ApprovalsQueryDto {
  @IsOptional()
  @IsIn(APPROVAL_STATES)
  state?: ApprovalState;

  @IsOptional()
  @Matches(/^\w{1,64}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @Matches(/^apr_\w{1,64}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

export class DecisionDto {
  /**
   * For your own records.
   * @example "Checked with the warehouse."
   */
  @IsOptional()
  @IsPlainText(500)
  note?: string;
}
