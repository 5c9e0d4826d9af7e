import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import {
  IsCurrency,
  IsDecimalAmount,
  IsDigits,
  IsIntegerText,
  IsPlainText,
  Omittable,
} from '../../http/validation/validators.js';
import { PageDto, RangePageQueryDto } from './paging.dto.js';
import { PaymentDto, RefundDto, TimelineEntryDto } from '../core/payment.dto.js';
import { PAYMENT_STATUSES, RECORDED_METHODS, type RecordedMethod, type Status } from '../core/payment.js';

/** A call that takes nothing but its address: an empty object. */
export class EmptyDto {}

export class PaymentListDto extends PageDto {
  /** Newest first. */
  data: PaymentDto[];
}

export class TimelineDto {
  /** Oldest first. */
  data: TimelineEntryDto[];
}

export class RefundListDto {
  /** Oldest first. */
  data: RefundDto[];
}

export class OtpDto {
  /**
   * The one-time code: 4 to 10 digits. It reaches the gateway and nothing else.
   * @example "123456"
   */
  @IsDigits(4, 10)
  otp: string;
}

export class CompleteDto {
  /**
   * How much to take of what is held: decimal, in major units; all of it by default. `null` is refused.
   * @example "1000.00"
   */
  @Omittable()
  @IsDecimalAmount()
  amount?: string;
}

export class RefundRequestDto {
  /**
   * How much to give back: decimal, in major units; all that is left by default. `null` is refused.
   * @example "500.00"
   */
  @Omittable()
  @IsDecimalAmount()
  amount?: string;

  /**
   * Why, for your own books: at most 500 characters. The gateway does not get it.
   * @example "One of two books was out of stock."
   */
  @IsOptional()
  @IsPlainText(500)
  reason?: string;
}

/** A person's word: about the payment (`status`), its open completion or void (`operation`), or one refund (`refundId`, `status`). */
export class ResolveDto {
  /** Where the payment stands: `succeeded`, `failed`, `voided`, or the status that it has. With `refundId`: `succeeded` or `failed`. */
  @Omittable()
  @IsIn(PAYMENT_STATUSES)
  status?: Status;

  /**
   * What was received, with `status` `succeeded`: decimal, in major units; the expected amount by default.
   * @example "1500.00"
   */
  @Omittable()
  @IsDecimalAmount()
  amountReceived?: string;

  /** Whether the open completion or void was done, once its outcome is unknown. */
  @Omittable()
  @IsIn(['confirmed', 'refused'])
  operation?: 'confirmed' | 'refused';

  /**
   * The refund that `status` is about.
   * @example "ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E"
   */
  @Omittable()
  @Matches(/^ref_\w{1,40}$/, { message: '$property must be the id of a refund' })
  refundId?: string;

  /**
   * How you know: for the timeline, at most 500 characters.
   * @example "Seen on the bank statement of 21 November."
   */
  @IsPlainText(500)
  note: string;
}

export class WaitQueryDto {
  /** Wait so many seconds (0 to 30) for another status or next action. */
  @IsOptional()
  @IsIntegerText(0, 30)
  wait?: string;
}

/** Selects payments that match every given value; `from` and `to` are when they were made. */
export class PaymentsQueryDto extends RangePageQueryDto {
  @IsOptional()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference?: string;

  @IsOptional()
  @IsIn(PAYMENT_STATUSES)
  status?: Status;

  @IsOptional()
  @IsIn(RECORDED_METHODS)
  method?: RecordedMethod;

  /** ISO 4217. */
  @IsOptional()
  @IsCurrency()
  currency?: string;

  /** Whether a person must look. */
  @IsOptional()
  @IsIn(['true', 'false'])
  needsAttention?: 'true' | 'false';

  /** Whether another payment pays their order. */
  @IsOptional()
  @IsIn(['true', 'false'])
  duplicate?: 'true' | 'false';

  @IsOptional()
  @IsIn(['true', 'false'])
  disputed?: 'true' | 'false';
}

/** What to look for among payments. */
export class PaymentSearchDto {
  /**
   * A payment's id, gateway reference or transaction, the last 4 digits of a card, the payer's e-mail, or the beginning of a reference.
   * Upper and lower case are the same.
   * @example "ada@example.com"
   */
  @IsPlainText(254)
  query: string;

  /** 1 to 100, 50 by default. */
  @Omittable()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  /** The `nextCursor` of the previous page of the same search. */
  @Omittable()
  @Matches(/^[\w-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}
