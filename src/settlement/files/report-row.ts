import { minorOf, type FileAmount } from './file-amount.js';

/** What a row of a settlement report says of a payment's money. */
export const MOVEMENT_ROW_TYPES = [
  'payment',
  'refund',
  'chargeback',
  'paymentReversal',
  'refundReversal',
  'chargebackReversal',
] as const;
export type MovementRowType = (typeof MOVEMENT_ROW_TYPES)[number];

/** When a row says that something was settled: a moment, or a whole day. Milliseconds since the epoch. */
export interface FileTime {
  readonly from: number;
  /** The same moment, or the last millisecond of the day. */
  readonly until: number;
}

interface AnyRow {
  /** The line in which it begins, from 1. */
  readonly line: number;
  /** The gateway's own name for the transaction. */
  readonly transactionRef: string | null;
  /** ISO 4217, upper case; null where the report has no such column: then amounts are in the payment's currency. */
  readonly currency: string | null;
  /** The gateway's name of the payout that the row is part of; null where it names none. */
  readonly payout: string | null;
  readonly settledAt: FileTime | null;
}

/** A row about the money of a payment. */
export interface MovementRow extends AnyRow {
  readonly type: MovementRowType;
  /** The `client_ref` of the payment. */
  readonly reference: string;
  /** Our or the gateway's name of the refund, where the report has one. */
  readonly refundRef: string | null;
  /** Above zero, whatever sign the report writes: its direction follows from its type. */
  readonly amount: FileAmount;
  /** What the gateway keeps of it; below zero where it gives a fee back; null where the row has neither a fee nor a net. */
  readonly fee: FileAmount | null;
  /** What the merchant gets of it, below zero where it takes away; null where the report has no such column or the cell is empty. */
  readonly net: FileAmount | null;
  /**
   * By which rows of several reports are known to be the same: a hash (32 hexadecimal digits) of reference, type, transaction, amount,
   * currency and time. However the amount and the time are written, it is the same.
   */
  readonly identity: string;
}

/** A fee by itself. */
export interface FeeRow extends AnyRow {
  readonly type: 'fee';
  /** Null where it is about no payment. */
  readonly reference: string | null;
  /** What the gateway keeps; below zero where it gives it back. */
  readonly amount: FileAmount;
}

/** A payout to the merchant's bank. */
export interface PayoutRow extends AnyRow {
  readonly type: 'payout';
  /** With the report's own sign, where it writes signs. Some write what the merchant gets, others what leaves the account. */
  readonly amount: FileAmount;
}

/** A row of a settlement report that was read. */
export type ReportRow = MovementRow | FeeRow | PayoutRow;

/** A row that could not be read, or whose type the profile does not list. Nothing of what stands there is kept. */
export interface SetAsideRow {
  /** The line in the file, from 1. */
  readonly line: number;
  /** The column's name in the header; null where the whole line is meant. */
  readonly column: string | null;
}

/** The rows of a file that were set aside. */
export interface SetAside {
  /** How many there are. */
  readonly count: number;
  /** Where they stand: the first thousand. */
  readonly rows: readonly SetAsideRow[];
}

/** Whether a row is about the money of a payment. */
export function isMovementRow(row: ReportRow): row is MovementRow {
  return row.type !== 'fee' && row.type !== 'payout';
}

/** Whether a row of this type brings the merchant money, or takes it away. */
export function directionOf(type: MovementRowType): 'in' | 'out' {
  return type === 'payment' || type === 'refundReversal' || type === 'chargebackReversal' ? 'in' : 'out';
}

/** What a row moves, in minor units of a currency. */
export interface RowAmounts {
  /** Above zero. */
  readonly gross: bigint;
  /** What the gateway keeps; below zero where it gives it back; null where the row does not say. */
  readonly fee: bigint | null;
  /** What the merchant gets, below zero where it is taken away: as the row says, else the signed gross less the fee. */
  readonly net: bigint;
}

/**
 * A row's amounts in minor units of a currency: its own, or where it has none the payment's. Undefined where the row is of another
 * currency, and where an amount is not a whole number of minor units. Pure.
 */
export function amountsIn(
  row: Pick<MovementRow, 'type' | 'currency' | 'amount' | 'fee' | 'net'>,
  currency: string,
): RowAmounts | undefined {
  if (row.currency !== null && row.currency !== currency) return undefined;
  const gross = minorOf(row.amount, currency);
  const fee = row.fee && minorOf(row.fee, currency);
  const net = row.net && minorOf(row.net, currency);
  if (gross === undefined || fee === undefined || net === undefined) return undefined;
  const signed = directionOf(row.type) === 'in' ? gross : -gross;
  return { gross, fee, net: net ?? signed - (fee ?? 0n) };
}

/**
 * What payouts come to, below zero where the merchant had to pay. Whether a report's own sign means that follows from the net that it is held
 * against: of both readings it is the nearer one. Pure.
 */
export function paidOut(signed: bigint, net: bigint): bigint {
  const other = -signed;
  const [one, another] = [distance(signed, net), distance(other, net)];
  if (one === another) return signed < 0n ? other : signed;
  return one < another ? signed : other;
}

function distance(one: bigint, other: bigint): bigint {
  return one < other ? other - one : one - other;
}

/** What the rows of a report come to in one currency: decimal texts in major units. */
export interface CurrencyTotals {
  readonly currency: string;
  /** The payments. */
  readonly gross: string;
  /** What the gateway keeps, of rows and by itself. */
  readonly fees: string;
  /** What the merchant gets: gross − refunds − chargebacks + reversals − fees, as far as the rows agree with it. */
  readonly net: string;
  readonly refunds: string;
  readonly chargebacks: string;
  /** Refunds and chargebacks that came back, less the payments that were reversed. */
  readonly reversals: string;
  /** The payouts that the report has as rows; below zero where the merchant had to pay more than was paid out. */
  readonly payouts: string;
}

/** What the merchant's own list says of an order. `open`: none of the others. */
export type OrderStanding = 'paid' | 'refunded' | 'free' | 'open';
