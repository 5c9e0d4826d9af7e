import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText, IsPlainText } from '../../http/validation/validators.js';
import { DIFFERENCE_KINDS, type DifferenceKind, type DifferenceState } from '../difference.js';

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

/** A row that could not be read, or whose type the profile does not list. */
export class SetAsideRowDto {
  /** In the file, the first line being 1. */
  line: number;
  /** The column at fault, as the header names it; null where it is the whole line. */
  column: string | null;
}

/** One settlement report of the gateway, compared with the payments here. */
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
  /** Rows that do not count, by reason: another `status`, a `fee`, a `type` that the profile does not list. */
  skipped: Record<string, number>;
  /** How many rows could not be read, and were compared with nothing. */
  rowsSetAside: number;
  /** Where they stand: the first thousand. */
  setAside: SetAsideRowDto[];
  /**
   * How many differences of each kind. Those of orders are there where a list of orders was compared too.
   * @example { "amount_differs": 0, "not_paid_here": 1, "unknown_here": 0, "missing_there": 2, "twice_there": 0, "refund_unknown_here": 0, "chargeback_unknown_here": 0 }
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

/** Something that a report, or the merchant's own list, says otherwise than the payments here. */
export class SettlementDifferenceDto {
  /**
   * `amount_differs`; `not_paid_here`: settled there, not paid here; `unknown_here`: there is no such payment; `missing_there`: paid here in the
   * report's time, not in it; `twice_there`: twice in it; `refund_unknown_here`, `chargeback_unknown_here`. Of the list: `order_not_paid`,
   * `order_paid_twice`, `order_unknown`: paid here, not listed as paid.
   */
  kind: DifferenceKind;
  /** The line in the file, the header being 1; null where it is about what the file lacks. */
  row: number | null;
  /**
   * The gateway's reference of the payment; of an order the merchant's.
   * @example "ORDER-1001_1"
   */
  reference: string;
  paymentId?: string;
  /** What the file says: decimal, in major units. */
  amount?: string;
  currency?: string;
  /**
   * What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `confirmed`; `unconfirmed`: the payment
   * needs attention. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`, `unknown`, `given_back`,
   * `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told.
   */
  state?: DifferenceState;
}

/** Differences in the order in which they were found. */
export class SettlementDifferenceListDto {
  data: SettlementDifferenceDto[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
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

/** Which differences to list. */
export class DifferencesQueryDto {
  /** Only this kind. */
  @IsOptional()
  @IsIn(DIFFERENCE_KINDS)
  kind?: DifferenceKind;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[0-9]{1,15}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** Bytes that are no UTF-8 are left as they came, behind a percent sign. */
const UTF_8 = /^[^%\uFFFD]*$/;

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
  rowsSetAside: 1,
  setAside: [{ line: 17, column: 'amount' }],
  counts: {
    ...{ amount_differs: 0, not_paid_here: 1, unknown_here: 2, missing_there: 0 },
    ...{ twice_there: 0, refund_unknown_here: 0, chargeback_unknown_here: 0 },
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
export const DIFFERENCES_EXAMPLE = {
  data: [
    {
      kind: 'not_paid_here',
      row: 412,
      reference: 'ORDER-1001_1',
      paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
      amount: '1500.00',
      currency: 'NGN',
      state: 'asked',
    },
  ],
  nextCursor: '1',
};
