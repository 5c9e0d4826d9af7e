import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText, IsPlainText } from '../http/validation/validators.js';
import { formatMajor } from '../money/money.js';
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalRecord,
  type ApprovalState,
} from '../store/schema.js';
import { stateOf } from './approval.js';

/** Something that a person asked for and another one has to approve. */
export class ApprovalDto {
  /** @example "apr_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;

  /**
   * What is asked for: a `refund`, to `resolve` a payment as paid, to `adopt` one from a settlement report, a difference's `write_off`, or to
   * believe a report that a refund came back (`refund_reversal`). More words may come.
   */
  @ApiProperty({ enum: APPROVAL_KINDS, enumName: 'ApprovalKind' })
  kind: ApprovalKind;

  /** `waiting`, `approved`, `declined`, or `expired`: nobody decided within 7 days. */
  @ApiProperty({ enum: APPROVAL_STATES, enumName: 'ApprovalState' })
  state: ApprovalState;

  /**
   * How much is asked for: decimal, in major units.
   * @example "750000.00"
   */
  amount: string;

  currency: string;

  /** The payment that it is about; null where it is about none. */
  paymentId: string | null;

  /** The merchant's reference of that payment; null where it is about none. */
  reference: string | null;

  /** The difference that it is about; null where it is about none. */
  differenceId: string | null;

  /** What the asker wrote; null: nothing. */
  reason: string | null;

  /** Who asked, as timelines name them. */
  askedBy: string;

  /** RFC 3339, UTC. */
  createdAt: string;

  /** Until when it can be approved. RFC 3339, UTC. */
  expiresAt: string;

  /** Who approved or declined it; null: nobody yet. */
  decidedBy: string | null;

  /** When. RFC 3339, UTC. */
  decidedAt: string | null;

  /** What they wrote about it; null: nothing. */
  note: string | null;
}

/** What waits for an approval, and what became of it once somebody decided. */
export class ApprovedDto {
  approval: ApprovalDto;

  /**
   * What was done: the refund, the payment or the difference as it now stands. Absent while it waits; null where nothing was done, or not
   * yet.
   */
  @ApiProperty({ type: Object, required: false, nullable: true })
  result?: object | null;
}

/** The body of an answer that is either what was done, or what became of the approval that it needed. */
export const orApproved = (done: new () => object): { schema: { anyOf: { $ref: string }[] } } => ({
  schema: { anyOf: [done, ApprovedDto].map((type) => ({ $ref: getSchemaPath(type) })) },
});

export class ApprovalListDto {
  /** The newest first. */
  data: ApprovalDto[];

  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}

/** Which approvals to list. */
export class ApprovalsQueryDto {
  /** Only those in this state. */
  @IsOptional()
  @IsIn(APPROVAL_STATES)
  state?: ApprovalState;

  /** Only those about this payment. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^apr_[A-Za-z0-9]{1,64}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** What is written about a decision. */
export class DecisionDto {
  /**
   * Why, for your own records: at most 500 characters. What looks like a card number or another secret in it is removed before it is kept.
   * @example "Checked with the warehouse."
   */
  @IsOptional()
  @IsPlainText(500)
  note?: string;
}

/** Built field by field. `texts`: what people wrote, by its ids. */
export function viewApproval(
  approval: ApprovalRecord,
  texts: ReadonlyMap<string, string>,
  now: number,
): ApprovalDto {
  const { id, kind, amount, currency, paymentId, reference, objectId, actor } = approval;
  const { textId, decidedBy, decidedAt, decisionTextId } = approval;
  const textOf = (text: string | null): string | null => (text === null ? null : (texts.get(text) ?? null));
  return {
    id,
    kind,
    state: stateOf(approval, now),
    amount: formatMajor(amount, currency),
    currency,
    paymentId,
    reference: paymentId === null ? null : reference,
    differenceId: objectId,
    reason: textOf(textId),
    askedBy: actor,
    createdAt: new Date(approval.createdAt).toISOString(),
    expiresAt: new Date(approval.expiresAt).toISOString(),
    decidedBy,
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    note: textOf(decisionTextId),
  };
}
