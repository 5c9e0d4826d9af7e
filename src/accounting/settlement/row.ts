import type { Digits } from '../../gateway/amounts.js';
import type { Profile, SettlementProfile, ROW_TYPES } from '../../gateway/profile/schema.js';
import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';
import { minorDigits } from '../../money/money.js';
import { amountReader, timeReader, type ReadAmount, type ReadTime } from './cells.js';

type RowType = (typeof ROW_TYPES)[number];
export type Column = keyof SettlementProfile['columns'];
export type CountedType = Exclude<RowType, 'ignore'>;

/** A row that counts. Amounts are minor units. */
export interface ReportRow {
  type: CountedType;
  /** `gatewayReference` of a payment of ours; null of a fee, a payout and another shop's row. */
  reference: string | null;
  /** What tells it from other rows, besides the above. */
  identity: readonly (string | bigint | number | null)[];
  /** Of a movement at or above zero; of a fee above zero where the merchant pays it; of a payout above zero where the merchant gets it. */
  amount: bigint;
  currency: string;
  /** What the gateway keeps, and what the merchant gets (below zero: gives), in `netCurrency`. */
  fee: bigint;
  net: bigint | null;
  netCurrency: string;
  payout: string | null;
  settledAt: number | null;
}

type Moved = Pick<ReportRow, 'type' | 'amount' | 'currency' | 'netCurrency' | 'fee' | 'net'>;
type MovedType = Exclude<CountedType, 'fee' | 'payout'>;

/** The money of a row, as it is written. */
interface Money {
  /** Below zero where the report says that it is taken away. `column`: where it should be. */
  signed: bigint | undefined;
  column: Column;
  fee: bigint | undefined;
  net: bigint | undefined;
  currency: string;
  netCurrency: string;
}

/** What one row of a file is. */
export type Read =
  | { is: 'row'; row: ReportRow }
  /** Another shop's. With `row` where it can be read. */
  | { is: 'other'; row?: ReportRow }
  | { is: 'skipped'; why: 'status' | 'ignore' }
  /** It cannot be read, because of this column, or (null) as a whole. */
  | { is: 'setAside'; column: Column | null };

/** Throws {@link Unreadable} for what is not there, or not of its form. */
type Cell = (column: Column) => string;

class Unreadable extends Error {
  constructor(readonly column: Column | null) {
    super('a cell cannot be read');
  }
}

/** Whether money of this type comes in. */
export function comesIn(type: CountedType): boolean {
  return type === 'payment' || type === 'refundReversal' || type === 'chargebackReversal';
}

const NAME = /^[^\p{Cc}]{0,200}$/u;
/** A row that ends before one of these has lost it. */
const NEEDED = ['reference', 'type', 'amount', 'debit', 'credit', 'currency'] as const;

/** Reads the rows of reports of one shape. */
export class RowReader {
  readonly #types = new Map<string, RowType>();
  readonly #settled: ReadonlySet<string> | undefined;
  readonly #readAmount: ReadAmount;
  readonly #readTime: ReadTime;
  readonly #ours: RegExp;
  readonly #places: Partial<Record<Column, number>>;
  readonly #lastNeeded: number;

  /** @param header the trimmed names of the columns; the shape has to fit */
  constructor(
    private readonly shape: SettlementProfile,
    private readonly header: readonly string[],
    { prefix = '', separator = '_' }: NonNullable<Profile['reference']>,
    digits: Digits,
  ) {
    for (const [type, words] of Object.entries(shape.types ?? {}))
      for (const word of words) this.#types.set(word.trim().toUpperCase(), type as RowType);
    this.#settled = shape.settled && new Set(shape.settled.map((word) => word.trim().toUpperCase()));
    this.#readAmount = amountReader(shape, digits);
    this.#readTime = timeReader(shape);
    this.#ours = new RegExp(`^${literal(prefix)}[A-Za-z0-9.-]{1,40}${literal(separator)}[1-9]\\d{0,8}$`);
    this.#places = placesOf(shape, header) ?? {};
    this.#lastNeeded = Math.max(...NEEDED.map((column) => this.#places[column] ?? -1));
  }

  read(cells: readonly string[]): Read {
    const cell: Cell = (column) => (cells[this.#places[column] ?? -1] ?? '').trim();
    if (this.#settled && !this.#settled.has(cell('status').toUpperCase()))
      return { is: 'skipped', why: 'status' };
    const named = this.#types.get(cell('type').toUpperCase());
    if (named === 'ignore') return { is: 'skipped', why: 'ignore' };
    const reference = cell('reference');
    const isCut = (this.#places.reference ?? -1) >= cells.length;
    const isOurs = this.#ours.test(reference) && !holdsCardNumber(reference);
    const isNobodys = named === 'fee' || named === 'payout';
    try {
      const row = this.#row(cells, cell, named, isOurs ? reference : null);
      return isOurs || isNobodys ? { is: 'row', row } : { is: 'other', row };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (!isOurs && !isNobodys && !isCut) return { is: 'other' };
      return { is: 'setAside', column: isCut ? 'reference' : error.column };
    }
  }

  #row(
    cells: readonly string[],
    cell: Cell,
    named: CountedType | undefined,
    reference: string | null,
  ): ReportRow {
    const lost = NEEDED.find((column) => (this.#places[column] ?? -1) >= cells.length);
    if (lost !== undefined && cells.length <= this.#lastNeeded) throw new Unreadable(lost);
    if (cells.slice(this.header.length).some((text) => text.trim() !== '')) throw new Unreadable(null);
    if (this.shape.columns.type !== undefined && named === undefined) throw new Unreadable('type');
    const isNobodys = named === 'fee' || named === 'payout';
    const money = this.#money(cell, isNobodys);
    const moved =
      named === 'fee'
        ? this.#fee(money)
        : named === 'payout'
          ? this.#payout(money)
          : this.#movement(money, named);
    const own = isNobodys ? null : reference;
    const [payout, settledAt] = [this.#name(cell, 'payout'), this.#settledAt(cell)];
    const names = [this.#name(cell, 'transactionRef'), this.#name(cell, 'refundRef')];
    const identity = [
      moved.type,
      this.#kept(cell('reference')),
      ...names,
      moved.amount,
      moved.currency,
      settledAt,
    ];
    const ofOthers = own === null ? [payout, moved.fee, moved.net] : [];
    return { ...moved, reference: own, payout, settledAt, identity: [...identity, ...ofOthers] };
  }

  #money(cell: Cell, isNobodys: boolean): Money {
    const { columns, currency: usual } = this.shape;
    const said = this.#currency(cell, 'netCurrency');
    const currency = this.#currency(cell, 'currency') ?? usual ?? (isNobodys ? said : undefined);
    if (currency === undefined) throw new Unreadable('currency');
    const netCurrency = said ?? currency;
    return {
      ...{ currency, netCurrency, column: columns.amount === undefined ? 'credit' : 'amount' },
      signed:
        columns.amount === undefined
          ? this.#sides(cell, 'debit', 'credit', currency)
          : this.#optional(cell, 'amount', currency),
      fee: this.#optional(cell, 'fee', netCurrency),
      net:
        columns.net === undefined
          ? this.#sides(cell, 'netDebit', 'netCredit', netCurrency)
          : this.#optional(cell, 'net', netCurrency),
    };
  }

  #movement({ signed, column, currency, netCurrency, ...said }: Money, named: MovedType | undefined): Moved {
    if (signed === undefined) throw new Unreadable(column);
    const type = named ?? (signed < 0n ? 'refund' : 'payment');
    const isIn = comesIn(type);
    // Where the report says which way money goes, it must be the type's.
    if (this.#saysDirection ? signed !== 0n && signed > 0n !== isIn : named !== undefined && signed < 0n)
      throw new Unreadable(column);
    const amount = signed < 0n ? -signed : signed;
    const directed = isIn ? amount : -amount;
    const isTurned = !this.#saysDirection && !isIn && this.shape.columns.net !== undefined;
    const net = isTurned && said.net !== undefined && said.net > 0n ? -said.net : said.net;
    const isSame = netCurrency === currency;
    const fee = feeBeside(said.fee, directed, isSame ? net : undefined);
    return { type, amount, currency, netCurrency, fee, net: net ?? (isSame ? directed - fee : null) };
  }

  /** It is in the first column that has an amount. */
  #fee({ signed, column, fee, net, currency, netCurrency }: Money): Moved {
    const ways: [bigint | undefined, string][] = [
      [signed !== undefined && this.#saysDirection ? -signed : signed, currency],
      [fee, netCurrency],
      [net === undefined ? undefined : -net, netCurrency],
    ];
    const [amount, of = currency] =
      ways.find(([value]) => value) ?? ways.find(([value]) => value !== undefined) ?? [];
    if (amount === undefined) throw new Unreadable(column);
    return { type: 'fee', amount, currency: of, netCurrency: of, fee: amount, net: -amount };
  }

  #payout({ signed, column, net, currency, netCurrency }: Money): Moved {
    const [said, of] = signed ? [signed, currency] : [net, netCurrency];
    if (said === undefined) throw new Unreadable(column);
    // What is paid out leaves the balance.
    const amount = this.#saysDirection ? -said : said;
    return { type: 'payout', amount, currency: of, netCurrency: of, fee: 0n, net: null };
  }

  /** Whether the report writes which way money goes. */
  get #saysDirection(): boolean {
    const { columns, sign } = this.shape;
    return columns.amount === undefined || sign === 'refundsNegative' || columns.type === undefined;
  }

  /** Two columns, of which one has an amount. A sign of its own in the column of debits changes nothing. */
  #sides(cell: Cell, out: Column, into: Column, currency: string): bigint | undefined {
    const [debit, credit] = [this.#optional(cell, out, currency), this.#optional(cell, into, currency)];
    if (debit !== undefined && debit !== 0n && credit !== undefined && credit !== 0n)
      throw new Unreadable(out);
    if (credit !== undefined && credit < 0n) throw new Unreadable(into);
    if (debit === undefined || debit === 0n) return credit ?? debit;
    return debit < 0n ? debit : -debit;
  }

  #optional(cell: Cell, column: Column, currency: string): bigint | undefined {
    const text = cell(column);
    if (text === '') return undefined;
    const amount = this.#readAmount(text, currency);
    if (amount === undefined) throw new Unreadable(column);
    return amount;
  }

  #currency(cell: Cell, column: 'currency' | 'netCurrency'): string | undefined {
    const code = cell(column).toUpperCase();
    if (code === '') return undefined;
    if (minorDigits(code) === undefined) throw new Unreadable(column);
    return code;
  }

  #settledAt(cell: Cell): number | null {
    const text = cell('settledAt');
    if (text === '') return null;
    const at = this.#readTime(text, cell('timeZone'));
    if (at === undefined) throw new Unreadable('settledAt');
    return at;
  }

  #name(cell: Cell, column: Column): string | null {
    const text = cell(column);
    if (!NAME.test(text)) throw new Unreadable(column);
    return text === '' ? null : this.#kept(text);
  }

  /** What may be kept or hashed: no card number, which would be found from its hash. */
  #kept(text: string): string {
    return holdsCardNumber(text) ? '' : text;
  }
}

/** Reports write a fee as what it is, or as what it takes away: the row's own net says which. */
function feeBeside(said: bigint | undefined, directed: bigint, net: bigint | undefined): bigint {
  if (said === undefined) return net === undefined ? 0n : directed - net;
  if (net === undefined) return directed > 0n && said < 0n ? -said : said;
  return directed - said !== net && directed + said === net ? -said : said;
}

/** A text as a part of a regular expression. */
const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

/** Where the columns of a shape are; undefined where the header does not have each of them once. */
export function placesOf(
  { columns }: SettlementProfile,
  header: readonly string[],
): Partial<Record<Column, number>> | undefined {
  const names = header.map((name) => name.toUpperCase());
  const places: Partial<Record<Column, number>> = {};
  for (const [column, name] of Object.entries(columns)) {
    const wanted = name.trim().toUpperCase();
    const at = names.indexOf(wanted);
    if (at < 0 || names.lastIndexOf(wanted) !== at) return undefined;
    places[column as Column] = at;
  }
  return places;
}
