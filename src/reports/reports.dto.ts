import { IsIn, IsOptional } from 'class-validator';
import { IsMoment } from '../http/validation/validators.js';
import type { PaymentStatus, RecordedMethod } from '../store/schema.js';
import { SUMMARY_KEYS, type SummaryKey } from './totals.repository.js';

class PaidOnDayDto {
  /**
   * The day on which the payments were made, in `BOOKS_TIME_ZONE`.
   * @example "2031-01-31"
   */
  day: string;
  /** @example "NGN" */
  currency: string;
  count: number;
  /** What was taken. Decimal, in major units. */
  captured: string;
  /** What was given back of it. */
  refunded: string;
}

class MethodShareDto {
  method: RecordedMethod;
  /** Paid, including those that were voided later. */
  paid: number;
  /** Failed, canceled or expired. What is open or held is in neither. */
  notPaid: number;
}

class OldestOpenDto {
  paymentId: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

class OpenDto {
  /** Sent to the gateway, or their outcome is not known yet. */
  processing: number;
  /** Waiting for their payers. */
  requiresAction: number;
  /** Held. */
  authorized: number;
  needsAttention: number;
  /** Payments that hold money of an order that another one pays. */
  duplicates: number;
  /** The one that has been open longest; null where none is. */
  oldest: OldestOpenDto | null;
}

class LastSettlementDto {
  id: string;
  /** RFC 3339, UTC. */
  receivedAt: string;
  /** Of all kinds together: those that it has brought when it came. */
  differences: number;
}

/** Figures for whoever looks after payments, at most 5 s old. Figures of what is open stop at 10000. */
export class OverviewDto {
  /** When they were read. RFC 3339, UTC. */
  at: string;
  /** Paid on each of the last 30 days, today included; days without any are left out. */
  paid: PaidOnDayDto[];
  /** Of the last 30 days. */
  methods: MethodShareDto[];
  open: OpenDto;
  /** Events that wait for their delivery. */
  undeliveredEvents: number;
  /** Where settlement reports, lists of orders and the ledger differ and nobody has dealt with it, over all reports. */
  openDifferences: number;
  /** Null where there was none. */
  lastSettlement: LastSettlementDto | null;
}

/** Which payments to report on. */
export class ReportQueryDto {
  /** Those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`; from the first one by default. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`; until now by default. */
  @IsOptional()
  @IsMoment()
  to?: string;
}

/** What to put into a table, and for whom. */
export class CsvQueryDto extends ReportQueryDto {
  /** `spreadsheet`: the table begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
  @IsOptional()
  @IsIn(['spreadsheet'])
  for?: 'spreadsheet';
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
   * The day on which they were made, in `BOOKS_TIME_ZONE`; where the summary is by day.
   * @example "2031-01-31"
   */
  day?: string;
  /**
   * The month, where the summary is by month.
   * @example "2031-01"
   */
  month?: string;
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

/** Money that moved on one day, in one month, by one method or in one currency. Decimal, in major units. */
export class MovementSummaryRowDto {
  /**
   * The day on which it moved, in `BOOKS_TIME_ZONE`; where the summary is by day.
   * @example "2031-01-31"
   */
  day?: string;
  /**
   * The month, where the summary is by month.
   * @example "2031-01"
   */
  month?: string;
  /** Where the summary is by method. */
  method?: RecordedMethod;
  /** @example "NGN" */
  currency: string;
  /** Payments, with what people have corrected of them. */
  captured: string;
  /** Refunds less those that came back: below zero where more came back. */
  refunded: string;
  /** Voids. */
  reversed: string;
  /** Chargebacks less disputes that were won: below zero where more were won. */
  chargedBack: string;
  /** `captured` less `refunded`, `reversed` and `chargedBack`. */
  net: string;
  /** What of `net` settlement reports have settled. */
  settled: string;
  /** What of `net` no report has settled yet. */
  unsettled: string;
  /** Movements. */
  count: number;
  /** Those of them that were entered after their month had ended. */
  late: number;
}

/** Payments and money added up. */
export class SummaryDto {
  /** Payments, by when they were made. */
  data: SummaryRowDto[];
  /** Money, by when it moved. */
  movements: MovementSummaryRowDto[];
}

const paid = {
  day: '2031-01-31',
  status: 'succeeded',
  currency: 'NGN',
  count: 41,
  amount: '61500.00',
  captured: '61000.00',
  refunded: '1500.00',
};

/** A summary by day, for the description of the API. */
export const SUMMARY_EXAMPLE = {
  data: [
    { ...paid, status: 'failed', count: 3, amount: '4500.00', captured: '0.00', refunded: '0.00' },
    paid,
  ],
  movements: [
    {
      day: '2031-01-31',
      currency: 'NGN',
      captured: '61000.00',
      refunded: '1500.00',
      reversed: '0.00',
      chargedBack: '0.00',
      net: '59500.00',
      settled: '0.00',
      unsettled: '59500.00',
      count: 42,
      late: 0,
    },
  ],
};

/** An overview. */
export const OVERVIEW_EXAMPLE = {
  at: '2031-01-31T10:04:05.678Z',
  paid: [{ day: '2031-01-31', currency: 'NGN', count: 41, captured: '61000.00', refunded: '1500.00' }],
  methods: [{ method: 'card', paid: 41, notPaid: 3 }],
  open: {
    processing: 1,
    requiresAction: 2,
    authorized: 0,
    needsAttention: 1,
    duplicates: 0,
    oldest: { paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E', createdAt: '2031-01-30T22:51:09.114Z' },
  },
  undeliveredEvents: 0,
  openDifferences: 3,
  lastSettlement: null,
};
