import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PAYMENT_STATUSES, type Status } from '../../payments/core/payment.js';
import { RangeQueryDto } from '../../payments/api/paging.dto.js';
import { SUMMARY_KEYS, type SummaryKey } from './buckets.js';

export class PaidOnDayDto {
  /**
   * The day on which the payments were made, in `BOOKS_TIME_ZONE`.
   * @example "2031-01-31"
   */
  day: string;
  /** @example "NGN" */
  currency: string;
  count: number;
  /** Decimal, in major units. */
  captured: string;
  refunded: string;
}

export class MethodShareDto {
  method: string;
  /** Paid, including payments that were voided later. */
  paid: number;
  /** Failed, canceled or expired. */
  notPaid: number;
}

export class OldestOpenDto {
  paymentId: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

export class OpenPaymentsDto {
  processing: number;
  requiresAction: number;
  authorized: number;
  needsAttention: number;
  /** Duplicates that hold money. */
  duplicates: number;
  /** The payment that has been open longest. */
  oldest: OldestOpenDto | null;
}

export class LastSettlementDto {
  id: string;
  /** RFC 3339, UTC. */
  receivedAt: string;
  /** Open differences whose newest row is in it. */
  differences: number;
}

/** Figures of the present moment. */
export class OverviewDto {
  /** RFC 3339, UTC. */
  at: string;
  /** Paid on each of the last 30 days; days without a payment are left out. */
  paid: PaidOnDayDto[];
  /** Of the last 30 days. */
  methods: MethodShareDto[];
  open: OpenPaymentsDto;
  /** Events that your server has not accepted yet; 0 without `MERCHANT_WEBHOOK_URL`. */
  undeliveredEvents: number;
  openDifferences: number;
  lastSettlement: LastSettlementDto | null;
}

export class CsvQueryDto extends RangeQueryDto {
  /** `spreadsheet`: begins with a byte order mark, by which spreadsheets recognize UTF-8. */
  @IsOptional()
  @IsIn(['spreadsheet'])
  for?: 'spreadsheet';
}

export class SummaryQueryDto extends RangeQueryDto {
  /** `day` by default. */
  @IsOptional()
  @IsIn(SUMMARY_KEYS)
  by?: SummaryKey;

  /** `true`: also what of the net is settled, for at most 92 days. */
  @IsOptional()
  @IsIn(['true', 'false'])
  settled?: 'true' | 'false';
}

class BucketDto {
  /**
   * With `by=day`, in `BOOKS_TIME_ZONE`.
   * @example "2031-01-31"
   */
  day?: string;
  /**
   * With `by=month`.
   * @example "2031-01"
   */
  month?: string;
  /** With `by=method`. */
  method?: string;
  /** @example "NGN" */
  currency: string;
}

/** Payments by when they were made, with the status that they have now. Decimal, in major units. */
export class SummaryRowDto extends BucketDto {
  @ApiProperty({ enum: PAYMENT_STATUSES, enumName: 'PaymentStatus' })
  status: Status;
  count: number;
  amount: string;
  captured: string;
  refunded: string;
}

/** Money by when it moved. Decimal, in major units. */
export class MovementSummaryRowDto extends BucketDto {
  /** Payments and corrections. */
  captured: string;
  /** Refunds less those that bounced. */
  refunded: string;
  /** Voids less those that a person undid. */
  reversed: string;
  /** Chargebacks less disputes that were won. */
  chargedBack: string;
  /** captured − refunded − reversed − chargedBack. */
  net: string;
  /** With `settled=true`: what of the net reports have. */
  settled?: string;
  unsettled?: string;
  /** Movements. */
  count: number;
  /** Movements that were recorded after their month had ended. */
  late: number;
}

export class SummaryDto {
  data: SummaryRowDto[];
  movements: MovementSummaryRowDto[];
}
