import { IsIn, IsOptional } from 'class-validator';
import { IsMoment } from '../http/validation/validators/is-moment.js';
import type { RecordedMethod } from '../store/recorded-method.js';
import type { PaymentStatus } from '../store/schema.js';
import { SUMMARY_KEYS, type SummaryKey } from './summary.js';

/** Which payments to report on. */
export class ReportQueryDto {
  /** Those made at this time or later: a time (RFC 3339), or a date, in UTC; from the first one by default. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Those made before this time, or until the end of this date, in UTC; until now by default. */
  @IsOptional()
  @IsMoment()
  to?: string;
}

/** Which payments to add up, and by what. */
export class SummaryQueryDto extends ReportQueryDto {
  /** `day` by default. */
  @IsOptional()
  @IsIn(SUMMARY_KEYS)
  by?: SummaryKey;
}

/** Payments of one day, method or currency in one status. */
export class SummaryRowDto {
  /**
   * The day on which they were made, in UTC; where the summary is by day.
   * @example "2031-01-31"
   */
  day?: string;
  /** Where the summary is by method. */
  method?: RecordedMethod;
  /** Their current status, whenever they reached it. */
  status: PaymentStatus;
  /** @example "NGN" */
  currency: string;
  count: number;
  /** The sum of their `amount`. Decimal, in major units. */
  amount: string;
  /** The sum of their `amountCaptured`: what was taken, which may be less where a hold was completed in part. */
  captured: string;
  /** The sum of their `amountRefunded`. */
  refunded: string;
}

/** Payments added up. */
export class SummaryDto {
  data: SummaryRowDto[];
}
