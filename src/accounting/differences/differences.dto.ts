import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsCurrency, IsPlainText } from '../../http/validation/validators.js';
import { formatMajor } from '../../money/money.js';
import { PageDto, RangePageQueryDto } from '../../payments/api/paging.dto.js';
import { timeText } from '../../payments/core/view.js';
import { CLOSING_REASONS, DIFFERENCE_KINDS, type ClosingReason, type DifferenceKind } from './difference.js';
import type { Listed } from './differences.repository.js';
import { PARTS, type Part } from './parts.js';

/** A query's text whose bytes were UTF-8: others are left as they came, behind a percent sign. */
const NAME = /^[^%\uFFFD\p{Cc}]{1,200}$/u;
const STATES = ['open', 'closed'] as const;
type State = (typeof STATES)[number];

export class DifferenceMoneyDto {
  /**
   * Decimal, in major units.
   * @example "1400.00"
   */
  amount: string;
  /** @example "NGN" */
  currency: string;
}

/** Where settlement reports and the ledger disagree. There is one for each payment, part and currency, and one for each payout. */
export class DifferenceDto {
  /** @example "dif_mi7v0s2k3q2x7wRrUtQ1yZ0a" */
  id: string;
  /**
   * `unknown_here`: no such payment; `not_paid_here`: no money of it here; `refund_unknown_here`, `chargeback_unknown_here`: no such movement here;
   * `currency_differs`, `amount_differs`, `refund_differs`, `chargeback_differs`: another currency or sum; `settled_twice`; `not_settled`: in no report,
   * though it is due; `payout_differs`: not the net of its rows.
   */
  @ApiProperty({ enum: DIFFERENCE_KINDS, enumName: 'DifferenceKind' })
  kind: DifferenceKind;
  @ApiProperty({ enum: [...PARTS, 'payout'] })
  part: Part | 'payout';
  @ApiProperty({ enum: STATES })
  state: State;
  /** The line of the newest row in its file; null if no report has a row. */
  row: number | null;
  /** The report that has this row. */
  settlementId: string | null;
  /**
   * The payment's gateway reference, or the payout's name.
   * @example "ORDER-1001_1"
   */
  reference: string;
  paymentId: string | null;
  movementId: string | null;
  /** RFC 3339, UTC. */
  foundAt: string;
  /** What the ledger has, or the net of a payout's rows; null if there is no such payment. */
  expected: DifferenceMoneyDto | null;
  /** What the reports have; null if they have nothing. */
  found: DifferenceMoneyDto | null;
  /** The latest note of a person. */
  note: string | null;
  /** Who closed it; null while it is open, or if it closed itself. */
  closedBy: string | null;
  closedAt: string | null;
  /** Why a person closed it. */
  @ApiProperty({ enum: CLOSING_REASONS, nullable: true })
  reason: ClosingReason | null;
}

export class DifferenceListDto extends PageDto {
  /** Newest first. */
  data: DifferenceDto[];
}

export class SettlementDifferencesDto {
  /** Oldest first. */
  data: DifferenceDto[];
}

/** Selects differences that match every given value; `from` and `to` are when they were found. */
export class DifferencesQueryDto extends RangePageQueryDto {
  @IsOptional()
  @IsIn(STATES)
  state?: State;

  @IsOptional()
  @IsIn(DIFFERENCE_KINDS)
  kind?: DifferenceKind;

  /** The exact gateway reference, the order's reference, or a payout's name. */
  @IsOptional()
  @Matches(NAME, { message: '$property must be 1 to 200 characters of UTF-8, without a percent sign' })
  reference?: string;

  @IsOptional()
  @IsCurrency()
  currency?: string;
}

export class NoteDifferenceDto {
  /**
   * What you found out: at most 500 characters. It replaces the note before.
   * @example "The gateway sent a corrected report on 3 December."
   */
  @IsPlainText(500)
  note: string;
}

export class CloseDifferenceDto extends NoteDifferenceDto {
  @IsIn(CLOSING_REASONS)
  @ApiProperty({ enum: CLOSING_REASONS })
  reason: ClosingReason;
}

export class ReopenDifferenceDto {
  /** At most 500 characters. */
  @IsOptional()
  @IsPlainText(500)
  note?: string;
}

/** Built field by field. */
export function differenceView(difference: Listed): DifferenceDto {
  const { id, kind, part, state, line, settlementId, ref, paymentId, movementId, currency } = difference;
  const { note, closedBy, closedAt, reason, foundAt, expected, expectedCurrency, found } = difference;
  const money = (minor: string | null, of: string | null): DifferenceMoneyDto | null =>
    minor === null || of === null ? null : { amount: formatMajor(BigInt(minor), of), currency: of };
  return {
    ...{ id, kind, part, state, row: line, settlementId, reference: ref, paymentId, movementId },
    foundAt: new Date(foundAt).toISOString(),
    expected: money(expected, expectedCurrency),
    found: money(found, currency),
    ...{ note, closedBy, closedAt: timeText(closedAt), reason },
  };
}
