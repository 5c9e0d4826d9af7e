import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Matches, Min } from 'class-validator';
import { ApprovalDto } from '../../approvals/approval.dto.js';
import { IsIntegerText, IsPlainText, Omittable, UTF_8 } from '../../http/validation/validators.js';
import type { SettlementRecord } from '../../store/schema.js';
import { FORMER_DIFFERENCE_KINDS, FORMER_KINDS, type DifferenceStep } from '../difference.js';
import type { CurrencyTotals } from '../files/report-row.js';

/** The merchant's own list, where it was compared too. */
export class SettlementOrdersDto {
  /** How many orders it has. */
  rows: number;
  /** RFC 3339, UTC. */
  receivedAt: string;
}

/** What became of the rows that are unknown here, where somebody wants them taken over. */
export class SettlementAdoptionDto {
  /** Payments about which the gateway is still to be asked. */
  waiting: number;
  /** Taken over on the gateway's word. */
  adopted: number;
  /** Taken over on the person's word alone: these payments need attention. */
  adoptedOnWord: number;
  /** Not taken over; the differences say why. */
  left: number;
}

/** A row that could not be read, or whose type the profile does not list. Nothing of what stands there is kept. */
export class SetAsideRowDto {
  /** In the file, the first line being 1. */
  line: number;
  /** The column at fault, as the header names it; null where it is the whole line. */
  column: string | null;
}

/** What the rows of a report come to in one currency: decimal, in major units. */
export class SettlementTotalsDto {
  /** @example "NGN" */
  currency: string;
  /** The payments. */
  gross: string;
  /** What the gateway keeps. */
  fees: string;
  /** What the merchant gets. */
  net: string;
  refunds: string;
  chargebacks: string;
  /** Refunds and chargebacks that came back, less payments that were reversed. */
  reversals: string;
  /** The payouts that the report has as rows; below zero where the merchant had to pay more than was paid out. */
  payouts: string;
}

/** One settlement report of the gateway, compared with the ledger. */
export class SettlementDto {
  /** @example "stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it was received. RFC 3339, UTC. */
  receivedAt: string;
  /**
   * Who sent it.
   * @example "merchant"
   */
  actor: string;
  /** The report's time, from its first row to its last; null where its rows name none. */
  from: string | null;
  to: string | null;
  /** How many rows it has, without the header. */
  rows: number;
  /** Rows that do not count, by reason: another `status`, a `fee` by itself, of a type that the profile ignores. */
  skipped: Record<string, number>;
  /** How many of its rows settle a movement of the ledger, those that an earlier report has too among them. */
  rowsMatched: number;
  /** How many say otherwise than the ledger, counted in the same way. */
  rowsDifferent: number;
  /** How many rows could not be read, and were compared with nothing. */
  rowsSetAside: number;
  /** Where they stand: the first thousand. */
  setAside: SetAsideRowDto[];
  /** What its rows come to, by currency. */
  totals: SettlementTotalsDto[];
  /**
   * How many differences of each kind it has brought when it came; one that an earlier report has brought is counted there. `not_settled` counts what no
   * report has of its time. `twice_there` is the part of `settled_twice` that it has settled twice itself, and `missing_there` the same as `not_settled`: as
   * versions before 0.3.0 called them. Those of orders are there where a list of orders was compared too.
   * @example { "amount_differs": 0, "currency_differs": 0, "not_paid_here": 1, "unknown_here": 0, "settled_twice": 0, "refund_unknown_here": 0, "refund_differs": 0, "chargeback_unknown_here": 0, "chargeback_differs": 0, "fee_differs": 0, "payout_differs": 0, "not_settled": 2, "twice_there": 0, "missing_there": 2 }
   */
  counts: Record<string, number>;
  orders: SettlementOrdersDto | null;
  /** Null if nobody has asked to take anything over. */
  adoption: SettlementAdoptionDto | null;
}

/** Settlement reports, the newest first. */
export class SettlementListDto {
  data: SettlementDto[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}

/** Which rows to take over. */
export class AdoptDto {
  /**
   * Their lines in the file, the header being 1; all by default.
   * @example [412]
   */
  @Omittable()
  @IsArray()
  @ArrayMaxSize(10_000)
  @IsInt({ each: true })
  @Min(2, { each: true })
  rows?: number[];
}

/** Which reports to list. */
export class SettlementsQueryDto {
  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^stl_[A-Za-z0-9]{1,64}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** How the merchant's own list is written. */
export class OrdersQueryDto {
  /**
   * Columns that have other names, separated by commas.
   * @example "reference=order_number,amount=total"
   */
  @IsOptional()
  @IsPlainText(500)
  @Matches(UTF_8, { message: '$property must be UTF-8, without a percent sign' })
  columns?: string;

  /**
   * The words of the status that mean paid, in any case, separated by commas; `paid` by default.
   * @example "paid,completed"
   */
  @IsOptional()
  @IsPlainText(500)
  @Matches(UTF_8, { message: '$property must be UTF-8, without a percent sign' })
  paid?: string;

  /** Those that mean given back whole; `refunded` by default. */
  @IsOptional()
  @IsPlainText(500)
  @Matches(UTF_8, { message: '$property must be UTF-8, without a percent sign' })
  refunded?: string;

  /** Those of an order for which nothing is to be paid; `free` by default. */
  @IsOptional()
  @IsPlainText(500)
  @Matches(UTF_8, { message: '$property must be UTF-8, without a percent sign' })
  free?: string;
}

/** A report of which rows were wanted taken over. */
export class AdoptedDto extends SettlementDto {
  /** The first of the rows that wait for another person, each with an approval of its own; absent where none does. */
  approval?: ApprovalDto;
}

/** A report as the built-in profile expects it. */
export const REPORT_EXAMPLE = [
  'reference,transactionRef,type,amount,fee,currency,status,settledAt',
  'ORDER-1001_1,SBX81C2E0D4,PAYMENT,1500.00,22.50,NGN,SETTLED,2026-11-30T06:00:00Z',
  'ORDER-0977_1,SBX52F6A1B8,REFUND,500.00,0.00,NGN,SETTLED,2026-11-30T06:00:00Z',
  '',
].join('\n');

/** A merchant's own list. */
export const ORDERS_EXAMPLE = ['reference,amount,currency,status', 'ORDER-1001,1500.00,NGN,paid', ''].join(
  '\n',
);

const compared = {
  id: 'stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  livemode: false,
  receivedAt: '2031-01-31T08:00:00.000Z',
  actor: 'merchant:ops-anna',
  from: '2031-01-01T06:00:00.000Z',
  to: '2031-01-31T06:00:00.000Z',
  rows: 1204,
  skipped: { fee: 3 },
  ...{ rowsMatched: 1197, rowsDifferent: 3, rowsSetAside: 1, setAside: [{ line: 17, column: 'amount' }] },
  totals: [
    {
      ...{ currency: 'NGN', gross: '1804500.00', fees: '27067.50', net: '1771432.50', refunds: '6000.00' },
      ...{ chargebacks: '0.00', reversals: '0.00', payouts: '0.00' },
    },
  ],
  counts: {
    ...{ amount_differs: 0, currency_differs: 0, not_paid_here: 1, unknown_here: 2, settled_twice: 0 },
    ...{ refund_unknown_here: 0, refund_differs: 0, chargeback_unknown_here: 0, chargeback_differs: 0 },
    ...{ fee_differs: 0, payout_differs: 0, not_settled: 0, twice_there: 0, missing_there: 0 },
  },
  orders: null,
  adoption: null,
};

/** Settlement reports as they are answered. */
export const SETTLEMENT_EXAMPLE = compared;
export const WITH_ORDERS_EXAMPLE = {
  ...compared,
  counts: { ...compared.counts, order_not_paid: 1, order_paid_twice: 0, order_unknown: 0 },
  orders: { rows: 1200, receivedAt: '2031-01-31T08:05:00.000Z' },
};
export const ADOPTED_EXAMPLE = {
  ...compared,
  adoption: { waiting: 0, adopted: 2, adoptedOnWord: 0, left: 0 },
};
export const LIST_EXAMPLE = { data: [compared], nextCursor: null };

/** Builds the view field by field. `steps`: how many of what a person wanted taken over are in which. */
export function viewSettlement(
  settlement: SettlementRecord,
  livemode: boolean,
  steps: ReadonlyMap<DifferenceStep, number>,
): SettlementDto {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  const { id, receivedAt, actor, firstAt, lastAt, rowCount, skipped, counts, ordersAt, orderCount } =
    settlement;
  const { rowsMatched, rowsDifferent, setAside, totals } = settlement;
  return {
    id,
    livemode,
    receivedAt: new Date(receivedAt).toISOString(),
    actor,
    from: time(firstAt),
    to: time(lastAt),
    rows: rowCount,
    skipped,
    rowsMatched,
    rowsDifferent,
    rowsSetAside: setAside?.count ?? 0,
    setAside: setAside?.rows.map(({ line, column }) => ({ line, column })) ?? [],
    totals: (totals as unknown as readonly CurrencyTotals[]).map((one) => ({ ...one })),
    counts: bothNames(counts),
    orders:
      ordersAt === null ? null : { rows: orderCount ?? 0, receivedAt: new Date(ordersAt).toISOString() },
    adoption: steps.size === 0 ? null : viewAdoption(steps),
  };
}

function viewAdoption(steps: ReadonlyMap<DifferenceStep, number>): SettlementAdoptionDto {
  const adoption = { waiting: 0, adopted: 0, adoptedOnWord: 0, left: 0 };
  for (const [step, count] of steps) {
    if (step === 'to_adopt') adoption.waiting += count;
    else if (step === 'adopted') adoption.adopted += count;
    else if (step === 'adopted_on_word') adoption.adoptedOnWord += count;
    else adoption.left += count;
  }
  return adoption;
}

/** Counts have both names of a kind that had another one before 0.3.0; a report of that time has kept the former alone. */
function bothNames(counts: Readonly<Record<string, number>>): Record<string, number> {
  const present = FORMER_DIFFERENCE_KINDS.flatMap((kind) =>
    counts[kind] === undefined ? [] : [[FORMER_KINDS[kind], counts[kind]] as const],
  );
  return { ...Object.fromEntries(present), ...counts };
}
