import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../payments/api/paging.dto.js';
import { DIFFERENCE_KINDS, type DifferenceKind } from '../differences/difference.js';
import { timeText } from '../../payments/core/view.js';

/** A row that could not be read. Nothing of it is kept. */
export class SetAsideRowDto {
  /** In the file. The file's first line is 1. */
  line: number;
  /** The column at fault, as the header names it; null: the whole line. */
  column: string | null;
}

/** Rows that do not count. */
export class SkippedRowsDto {
  /** Their `status` is not one that the profile lists as settled. */
  status: number;
  /** The profile ignores their type. */
  ignore: number;
}

/** The rows of a report added up in one currency. Decimal, in major units. */
export class SettlementTotalsDto {
  /** @example "NGN" */
  currency: string;
  /** Payments. */
  gross: string;
  /** What the gateway keeps. */
  fees: string;
  /** What you get, before payouts. */
  net: string;
  refunds: string;
  chargebacks: string;
  /** Refunds and chargebacks that came back, less payments that were reversed. */
  reversals: string;
  /** Payouts; below zero if you had to pay more than was paid out. */
  payouts: string;
  /** gross − refunds − chargebacks + reversals − fees − net. It is 0.00 unless a row contradicts itself. */
  unexplained: string;
}

/** One settlement report of the gateway, compared with the ledger. */
export class SettlementDto {
  /** @example "stl_mi7v0s2k3q2x7wRrUtQ1yZ0a" */
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** RFC 3339, UTC. */
  receivedAt: string;
  /**
   * Who uploaded it.
   * @example "merchant:anna"
   */
  actor: string;
  /** The earliest and the latest time of its rows; null if they have none. */
  from: string | null;
  to: string | null;
  /** All rows, without the header and empty lines. */
  rows: number;
  /** Rows that an earlier report has too. They count once. */
  rowsSeen: number;
  /** Rows without a reference of ours: of other shops on the same account. */
  rowsOther: number;
  /** Rows that could not be read. */
  rowsSetAside: number;
  /** The first 1,000 of them. */
  setAside: SetAsideRowDto[];
  skipped: SkippedRowsDto;
  totals: SettlementTotalsDto[];
  /**
   * Open differences whose newest row is in this report, by kind.
   * @example { "amount_differs": 1, "unknown_here": 0 }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  counts: Record<DifferenceKind, number>;
}

export class SettlementListDto extends PageDto {
  /** Newest first. */
  data: SettlementDto[];
}

/** What a report comes to, besides its rows. */
export type ReportFigures = Pick<
  SettlementDto,
  'rows' | 'rowsOther' | 'rowsSetAside' | 'setAside' | 'skipped' | 'totals'
> & { from: number | null; to: number | null };

export type SettlementFigures = ReportFigures & Pick<SettlementDto, 'rowsSeen'>;

/** A report that was read whole. */
export type Settlement = SettlementFigures & {
  n: number;
  id: string;
  state: 'comparing' | 'done';
  receivedAt: number;
  actor: string;
};

/** Built field by field. */
export function settlementView(
  settlement: Settlement,
  counts: readonly { kind: string; count: number }[],
  livemode: boolean,
): SettlementDto {
  const { id, receivedAt, actor, from, to, setAside, skipped, totals } = settlement;
  const { rows, rowsSeen, rowsOther, rowsSetAside } = settlement;
  const own = DIFFERENCE_KINDS.map((kind) => [kind, counts.find((one) => one.kind === kind)?.count ?? 0]);
  return {
    ...{ id, livemode, receivedAt: new Date(receivedAt).toISOString(), actor },
    ...{ from: timeText(from), to: timeText(to), rows, rowsSeen, rowsOther, rowsSetAside, setAside },
    ...{ skipped, totals, counts: Object.fromEntries(own) as Record<DifferenceKind, number> },
  };
}
