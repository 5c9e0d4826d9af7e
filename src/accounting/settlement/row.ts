import type { Digits } from '../../gateway/amounts.js';
import type { SettlementProfile, ROW_TYPES } from '../../gateway/profile/schema.js';
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

/** What makes a reference one of ours. */
export interface ReferenceForm {
  prefix?: string | undefined;
  separator?: string | undefined;
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
    { prefix = '', separator = '_' }: ReferenceForm,
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
    const netCurrency = this.#currency(cell, 'netCurrency');
    const isNobodys = named === 'fee' || named === 'payout';
    const currency =
      this.#currency(cell, 'currency') ?? this.shape.currency ?? (isNobodys ? netCurrency : undefined);
    if (currency === undefined) throw new Unreadable('currency');
    const common = {
      reference: isNobodys ? null : reference,
      payout: this.#name(cell, 'payout'),
      settledAt: this.#settledAt(cell),
    };
    const moved =
      named === 'fee'
        ? this.#fee(cell, currency, netCurrency ?? currency)
        : named === 'payout'
          ? this.#payout(cell, currency, netCurrency ?? currency)
          : this.#movement(cell, currency, netCurrency ?? currency, named);
    const { type, amount, fee, net } = moved;
    return {
      ...common,
      ...moved,
      identity: [
        ...[
          type,
          this.#kept(cell('reference')),
          this.#name(cell, 'transactionRef'),
          this.#name(cell, 'refundRef'),
        ],
        ...[amount, moved.currency, common.settledAt],
        ...(common.reference === null ? [common.payout, fee, net] : []),
      ],
    };
  }

  #movement(cell: Cell, currency: string, netCurrency: string, named: CountedType | undefined) {
    const { amount: signed, column } = this.#signed(cell, currency);
    if (signed === undefined) throw new Unreadable(column);
    const type = named ?? (signed < 0n ? 'refund' : 'payment');
    const isIn = comesIn(type);
    // Where the report says which way money goes, it must be the type's.
    if (this.#saysDirection ? signed !== 0n && signed > 0n !== isIn : named !== undefined && signed < 0n)
      throw new Unreadable(column);
    const amount = signed < 0n ? -signed : signed;
    const directed = isIn ? amount : -amount;
    const isSame = netCurrency === currency;
    const said = this.#net(cell, netCurrency);
    const net =
      said === undefined || this.#saysDirection || isIn || said < 0n || this.shape.columns.net === undefined
        ? said
        : -said;
    const fee = this.#feeBeside(cell, netCurrency, directed, isSame ? net : undefined);
    return {
      ...{ type, amount, currency, netCurrency, fee },
      net: net ?? (isSame ? directed - fee : null),
    };
  }

  /** Reports write a fee as what it is, or as what it takes away: the row's own net says which. */
  #feeBeside(cell: Cell, currency: string, directed: bigint, net: bigint | undefined): bigint {
    const said = this.#optional(cell, 'fee', currency);
    if (said === undefined) return net === undefined ? 0n : directed - net;
    if (net === undefined) return directed > 0n && said < 0n ? -said : said;
    return directed - said !== net && directed + said === net ? -said : said;
  }

  #fee(cell: Cell, currency: string, netCurrency: string) {
    const { amount: signed, column } = this.#signed(cell, currency);
    const said = signed !== undefined && this.#saysDirection ? -signed : signed;
    const beside = this.#optional(cell, 'fee', netCurrency);
    const net = this.#net(cell, netCurrency);
    const own = said === undefined || said === 0n ? undefined : { fee: said, of: currency };
    const fee =
      own ?? besideOf(beside, netCurrency) ?? besideOf(net === undefined ? undefined : -net, netCurrency);
    if (!fee && (said ?? beside ?? net) === undefined) throw new Unreadable(column);
    const { fee: amount, of } = fee ?? { fee: 0n, of: currency };
    return { type: 'fee' as const, amount, currency: of, netCurrency: of, fee: amount, net: -amount };
  }

  #payout(cell: Cell, currency: string, netCurrency: string) {
    const { amount: signed, column } = this.#signed(cell, currency);
    const own = signed === undefined || signed === 0n ? undefined : signed;
    const said = own ?? this.#net(cell, netCurrency);
    if (said === undefined) throw new Unreadable(column);
    const of = own === undefined ? netCurrency : currency;
    // What is paid out leaves the balance.
    const amount = this.#saysDirection ? -said : said;
    return { type: 'payout' as const, amount, currency: of, netCurrency: of, fee: 0n, net: null };
  }

  /** Whether the report writes which way money goes. */
  get #saysDirection(): boolean {
    const { columns, sign } = this.shape;
    return columns.amount === undefined || sign === 'refundsNegative' || columns.type === undefined;
  }

  /** The amount, below zero where the report says that it is taken away. */
  #signed(cell: Cell, currency: string): { amount: bigint | undefined; column: Column } {
    if (this.shape.columns.amount !== undefined)
      return { amount: this.#optional(cell, 'amount', currency), column: 'amount' };
    return { amount: this.#sides(cell, 'debit', 'credit', currency), column: 'credit' };
  }

  #net(cell: Cell, currency: string): bigint | undefined {
    if (this.shape.columns.net !== undefined) return this.#optional(cell, 'net', currency);
    return this.#sides(cell, 'netDebit', 'netCredit', currency);
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

/** A text as a part of a regular expression. */
function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}

function besideOf(fee: bigint | undefined, of: string): { fee: bigint; of: string } | undefined {
  return fee === undefined || fee === 0n ? undefined : { fee, of };
}

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
