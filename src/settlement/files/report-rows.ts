import { hash } from 'node:crypto';
import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';
import type { SettlementColumn, SettlementProfile, SettlementRowType } from '../../gateway/profile/format.js';
import { minorDigits } from '../../money/money.js';
import {
  amountReader,
  magnitude,
  minorOf,
  negated,
  type AmountReader,
  type FileAmount,
} from './file-amount.js';
import { CellFault, type Cells, type RowForm, FileRows } from './file-rows.js';
import { timeReader, type TimeReader } from './file-time.js';
import {
  directionOf,
  type FeeRow,
  type FileTime,
  type MovementRow,
  type MovementRowType,
  type PayoutRow,
  type ReportRow,
} from './report-row.js';

/** One row, or a tenth of all. With more the file was made for something else. */
const isFew = (count: number, rows: number): boolean => count <= 1 || count * 10 <= rows;

/** Reads one settlement report, in the one of the profile's shapes that fits. */
export class ReportReader extends FileRows<SettlementColumn, SettlementProfile, ReportRow> {
  #fees = 0;

  constructor(shapes: readonly SettlementProfile[]) {
    super(shapes, (shape) => new ReportRows(shape), isFew);
  }

  override async *rows(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly ReportRow[], void, undefined> {
    for await (const rows of super.rows(pieces)) {
      for (const { type } of rows) if (type === 'fee') this.#fees += 1;
      yield rows;
    }
  }

  /** How many rows are about no payment's money, by why. Fees are among them, though they count in the totals. */
  override get skipped(): Readonly<Record<string, number>> {
    return { ...super.skipped, ...(this.#fees > 0 && { fee: this.#fees }) };
  }
}

/** Why a row does not count. */
export type Skipped = 'status' | 'ignore';

type Column = SettlementColumn;

/** A longer reference is none of ours. */
const REFERENCE = /^[\x21-\x7e]{1,100}$/;
const PRINTABLE = /^[^\p{Cc}]{0,200}$/u;

/** What a row says that is not about its amounts. */
interface Common {
  readonly line: number;
  readonly currency: string | null;
  readonly transactionRef: string | null;
  readonly payout: string | null;
  readonly settledAt: FileTime | null;
}

/** An amount with the direction that the report writes, if it writes one. */
interface Moved {
  /** Above zero. */
  readonly amount: FileAmount;
  readonly direction: 'in' | 'out' | undefined;
  /** Where it stands. */
  readonly column: Column;
}

/** Reads the rows of one shape of report. */
export class ReportRows implements RowForm<Column, ReportRow> {
  readonly #types = new Map<string, SettlementRowType>();
  readonly #settled: ReadonlySet<string> | undefined;
  readonly #amount: AmountReader;
  readonly #time: TimeReader;
  #payout = '';

  constructor(private readonly shape: SettlementProfile) {
    for (const [type, words] of Object.entries(shape.types))
      for (const word of words) this.#types.set(word.toUpperCase(), type as SettlementRowType);
    this.#settled = shape.statuses && new Set(shape.statuses.settled.map((word) => word.toUpperCase()));
    this.#amount = amountReader(shape);
    this.#time = timeReader(shape);
  }

  get words(): readonly string[] {
    return [...this.#types.keys(), ...(this.#settled ?? [])];
  }

  get kinds(): RowForm<Column, ReportRow>['kinds'] {
    const isIso = (this.shape.dateFormat ?? 'iso') === 'iso';
    return {
      ...{ type: 'word', status: 'word' },
      ...{ amount: 'decimals', debit: 'decimals', credit: 'decimals', fee: 'decimals' },
      ...{ net: 'decimals', netDebit: 'decimals', netCredit: 'decimals' },
      ...(isIso && { settledAt: 'form' }),
    };
  }

  read(cells: Cells<Column>, line: number): ReportRow | Skipped {
    const status = cells('status');
    if (status !== undefined && this.#settled && !this.#settled.has(status.toUpperCase())) return 'status';
    const word = cells('type');
    const named = word === undefined ? undefined : this.#types.get(word.toUpperCase());
    if (word !== undefined && named === undefined)
      throw new CellFault<Column>('type', word === '' ? 'is empty' : 'is no type that the profile lists');
    if (named === 'ignore') return 'ignore';
    const common = this.#common(cells, line, named);
    if (named === 'fee') return this.#fee(cells, common);
    if (named === 'payout') return this.#payoutRow(cells, common);
    return this.#movement(cells, common, named);
  }

  #common(cells: Cells<Column>, line: number, type: SettlementRowType | undefined): Common {
    const isMovement = type !== 'fee' && type !== 'payout';
    return {
      line,
      currency: currencyOf(cells),
      transactionRef: printable(cells, 'transactionRef'),
      payout: this.#payoutName(cells),
      settledAt: this.#settledAt(cells, isMovement),
    };
  }

  #movement(cells: Cells<Column>, common: Common, named: MovementRowType | undefined): MovementRow {
    const reference = referenceOf(cells);
    const { amount, direction, column } = this.#moved(cells, common.currency);
    const type = named ?? (direction === 'out' ? 'refund' : 'payment');
    if (direction !== undefined && direction !== directionOf(type))
      throw new CellFault<Column>(column, 'is money that goes the other way than its type says');
    const net = this.#net(cells, common.currency, type);
    const fee = this.#feeOf(cells, common.currency, { type, amount, net });
    const refundRef = printable(cells, 'refundRef');
    const said = { ...common, type, reference, amount };
    return { ...said, refundRef, fee, net, identity: identityOf(said) };
  }

  #fee(cells: Cells<Column>, common: Common): FeeRow {
    const { currency } = common;
    const { amount: moved, column } = this.#signed(cells, currency);
    const net = this.#netOf(cells, currency);
    const said = [
      // Where the report writes directions, a fee is money that is taken away.
      moved && this.#hasDirection ? negated(moved) : moved,
      this.#optional(cells, 'fee', currency),
      net && negated(net),
    ].filter((amount) => amount !== null);
    const amount = said.find(({ digits }) => digits !== 0n) ?? said[0];
    if (!amount) throw new CellFault<Column>(column, 'is empty');
    return { ...common, type: 'fee', reference: referenceOrNull(cells), amount };
  }

  #payoutRow(cells: Cells<Column>, common: Common): PayoutRow {
    const { amount: moved, column } = this.#signed(cells, common.currency);
    if (moved && moved.digits < 0n && !this.#hasDirection) throw this.#noAmount(column);
    const amount = moved && moved.digits !== 0n ? moved : this.#netOf(cells, common.currency);
    if (!amount || amount.digits === 0n) throw this.#noAmount(column);
    return { ...common, type: 'payout', amount };
  }

  /** Whether the report writes which way money goes. */
  get #hasDirection(): boolean {
    return this.shape.columns.amount === undefined || this.shape.sign === 'refundsNegative';
  }

  #moved(cells: Cells<Column>, currency: string | null): Moved {
    const { amount, column } = this.#signed(cells, currency);
    if (!amount) throw new CellFault<Column>(column, 'is empty');
    const isBelow = amount.digits < 0n;
    if (amount.digits === 0n || (isBelow && !this.#hasDirection)) throw this.#noAmount(column);
    const direction = this.#hasDirection ? (isBelow ? 'out' : 'in') : undefined;
    return { amount: magnitude(amount), direction, column };
  }

  /** The amount, below zero where the report says that it is taken away; null where the row has none. */
  #signed(cells: Cells<Column>, currency: string | null): { amount: FileAmount | null; column: Column } {
    if (this.shape.columns.amount !== undefined)
      return { amount: this.#optional(cells, 'amount', currency), column: 'amount' };
    return this.#sides(cells, ['debit', 'credit'], currency);
  }

  /** What two columns say: below zero for the first one. */
  #sides(
    cells: Cells<Column>,
    [out, into]: readonly [Column, Column],
    currency: string | null,
  ): { amount: FileAmount | null; column: Column } {
    const [debit, credit] = [this.#side(cells, out, currency), this.#side(cells, into, currency)];
    const isDebit = debit !== null && debit.digits !== 0n;
    if (isDebit && credit !== null && credit.digits !== 0n)
      throw new CellFault<Column>(out, 'and the credit beside it cannot both have an amount');
    return isDebit ? { amount: negated(debit), column: out } : { amount: credit ?? debit, column: into };
  }

  /** What stands in one of two columns, without a sign. */
  #side(cells: Cells<Column>, key: Column, currency: string | null): FileAmount | null {
    const amount = this.#optional(cells, key, currency);
    const isDebit = key === 'debit' || key === 'netDebit';
    // A report that writes signs may write them here, too.
    if (amount && amount.digits < 0n && !(isDebit && this.shape.sign === 'refundsNegative'))
      throw this.#noAmount(key);
    return amount && magnitude(amount);
  }

  #net(cells: Cells<Column>, currency: string | null, type: MovementRowType): FileAmount | null {
    const net = this.#netOf(cells, currency);
    if (!net || this.shape.columns.net === undefined) return net;
    const isUnsigned = this.shape.sign === 'positive' && directionOf(type) === 'out' && net.digits > 0n;
    return isUnsigned ? negated(net) : net;
  }

  #netOf(cells: Cells<Column>, currency: string | null): FileAmount | null {
    return this.shape.columns.netDebit === undefined
      ? this.#optional(cells, 'net', currency)
      : this.#sides(cells, ['netDebit', 'netCredit'], currency).amount;
  }

  /**
   * What the gateway keeps of a row is what its net lacks, whatever the fee beside it says: otherwise money could be missing that no figure
   * shows. Without a net it is the fee, which reports write as what it is or as what it takes away.
   */
  #feeOf(
    cells: Cells<Column>,
    currency: string | null,
    { type, amount, net }: Pick<MovementRow, 'type' | 'amount' | 'net'>,
  ): FileAmount | null {
    const fee = this.#optional(cells, 'fee', currency);
    if (net) return less(directionOf(type) === 'in' ? amount : negated(amount), net);
    return fee && type === 'payment' ? magnitude(fee) : fee;
  }

  /** Null where the cell is empty, or the report has no such column. */
  #optional(cells: Cells<Column>, key: Column, currency: string | null): FileAmount | null {
    const text = cells(key) ?? '';
    if (text === '') return null;
    const amount = this.#amount(text);
    if (!amount) throw this.#noAmount(key);
    if (currency === null || minorOf(amount, currency) !== undefined) return amount;
    throw new CellFault<Column>(key, 'has more decimals than its currency');
  }

  #noAmount(key: Column): CellFault<Column> {
    const { amountUnit, decimal, thousands = '' } = this.shape;
    const form =
      amountUnit === 'minor'
        ? 'a whole number of minor units'
        : `a number such as 1${thousands}500${decimal}00`;
    const isOwn = key === 'amount' || key === 'debit' || key === 'credit';
    return new CellFault<Column>(key, `must be ${form}${isOwn ? ', above zero' : ''}`);
  }

  #settledAt(cells: Cells<Column>, isNeeded: boolean): FileTime | null {
    const text = cells('settledAt');
    if (text === undefined || (text === '' && !isNeeded)) return null;
    if (text === '') throw new CellFault<Column>('settledAt', 'is empty');
    const time = this.#time(text, cells('timeZone') || undefined);
    if (time) return time;
    if (this.#time(text))
      throw new CellFault<Column>('timeZone', 'is no time zone, or one in which this time never was');
    const { dateFormat = 'iso' } = this.shape;
    const form =
      dateFormat === 'iso' ? 'a date or a time (ISO 8601)' : 'a date or a time of the form dateFormat';
    throw new CellFault<Column>('settledAt', `must be ${form}`);
  }

  /** The rows of a payout stand together. They share one text, which does not keep the text of the file alive. */
  #payoutName(cells: Cells<Column>): string | null {
    const name = printable(cells, 'payout');
    if (name === null) return null;
    if (name !== this.#payout) this.#payout = Buffer.from(name).toString();
    return this.#payout;
  }
}

function referenceOf(cells: Cells<Column>): string {
  const reference = cells('reference') ?? '';
  if (!REFERENCE.test(reference))
    throw new CellFault<Column>('reference', reference === '' ? 'is empty' : 'is no reference');
  if (holdsCardNumber(reference)) throw new CellFault<Column>('reference', 'must hold no card number');
  return reference;
}

function referenceOrNull(cells: Cells<Column>): string | null {
  const reference = cells('reference') ?? '';
  return REFERENCE.test(reference) && !holdsCardNumber(reference) ? reference : null;
}

function currencyOf(cells: Cells<Column>): string | null {
  const currency = cells('currency')?.toUpperCase();
  if (currency === undefined) return null;
  if (minorDigits(currency) !== undefined) return currency;
  throw new CellFault<Column>('currency', currency === '' ? 'is empty' : 'is no currency (ISO 4217)');
}

function printable(cells: Cells<Column>, key: Column): string | null {
  const text = cells(key) ?? '';
  if (!PRINTABLE.test(text)) throw new CellFault<Column>(key, 'is no name of at most 200 characters');
  return text === '' ? null : text;
}

/** As many as an amount may have. */
const FINE_DECIMALS = 6;

/** In millionths, or in minor units: to be compared with other amounts of the same row. */
function fine({ digits, decimals }: FileAmount): bigint {
  return decimals === null ? digits : digits * 10n ** BigInt(FINE_DECIMALS - decimals);
}

/** The one amount less the other. */
function less(one: FileAmount, other: FileAmount): FileAmount {
  return { digits: fine(one) - fine(other), decimals: one.decimals === null ? null : FINE_DECIMALS };
}

function identityOf({
  reference,
  type,
  transactionRef,
  amount,
  currency,
  settledAt,
}: Omit<MovementRow, 'refundRef' | 'fee' | 'net' | 'identity'>): string {
  const minor = currency === null ? undefined : minorOf(amount, currency);
  const sum = minor ?? `${fine(amount)}${amount.decimals === null ? 'm' : ''}`;
  const said = [reference, type, transactionRef, sum, currency, settledAt?.from];
  return hash('sha256', said.join('\u001f')).slice(0, 32);
}
