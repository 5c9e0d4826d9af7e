import type { SettlementProfile, SettlementRowType } from '../../gateway/profile/format.js';
import { minorDigits } from '../../money/money.js';
import { CsvFile, firstLine, type CsvRow } from './csv-file.js';
import { minorOf, readAmount, type FileAmount } from './file-amount.js';
import type { FileFaults } from './file-faults.js';

type ReportColumn = keyof SettlementProfile['columns'];

/** A row of a report that counts. */
export interface ReportRow {
  readonly type: Exclude<SettlementRowType, 'fee'>;
  /** The `client_ref`. */
  readonly reference: string;
  readonly amount: FileAmount;
  /** ISO 4217; null where the report has no such column. */
  readonly currency: string | null;
  readonly transactionRef: string | null;
  readonly settled: FileTime | null;
  readonly source: CsvRow;
}

/** Why a row does not count. */
export type Skipped = 'status' | 'type' | 'fee';

/** A longer reference is none of ours. */
const REFERENCE = /^[\x21-\x7e]{1,100}$/;
const PRINTABLE = /^[^\p{Cc}]{0,200}$/u;

/** The rows of a settlement report, read as the profile says. */
export class ReportRows {
  readonly #file: CsvFile<ReportColumn>;
  readonly #types: ReadonlyMap<string, SettlementRowType>;
  readonly #settled: ReadonlySet<string> | undefined;
  /** How many rows do not count, by why. */
  readonly skipped: Partial<Record<Skipped, number>> = {};
  /** All rows but the header. */
  count = 0;
  #last: CsvRow | undefined;
  #lastButOne: CsvRow | undefined;

  constructor(
    private readonly profile: SettlementProfile,
    private readonly faults: FileFaults,
  ) {
    this.#file = new CsvFile(profile.columns, profile.delimiter, faults);
    this.#types = new Map(
      (Object.entries(profile.types) as [SettlementRowType, readonly string[]][]).flatMap(([type, words]) =>
        words.map((word) => [word.toUpperCase(), type] as const),
      ),
    );
    this.#settled = profile.statuses && new Set(profile.statuses.settled.map((word) => word.toUpperCase()));
  }

  /** The rows that end in this piece of the file and count. */
  async push(piece: Buffer): Promise<ReportRow[]> {
    return this.#read(await this.#file.push(piece));
  }

  /** Those that the end of the file ends. */
  async end(): Promise<ReportRow[]> {
    const rows = this.#read(await this.#file.end());
    const column = this.#file.lastColumn;
    if (!this.#file.endsWithLine && this.#last && this.#lastButOne && column) {
      const [last, before] = [this.#last, this.#lastButOne].map((row) => this.#file.cell(row, column) ?? '');
      if (looksCut(column, last ?? '', before ?? '', [...this.#types.keys(), ...(this.#settled ?? [])]))
        this.#file.fault(this.#last, column, 'the last row is cut');
    }
    return rows;
  }

  #read(rows: readonly CsvRow[]): ReportRow[] {
    this.count += rows.length;
    this.#lastButOne = rows.at(-2) ?? (rows.length > 0 ? this.#last : this.#lastButOne);
    this.#last = rows.at(-1) ?? this.#last;
    const read: ReportRow[] = [];
    for (const row of rows) {
      const found = this.#readRow(row);
      if (found === undefined) continue;
      if (typeof found === 'string') this.skipped[found] = (this.skipped[found] ?? 0) + 1;
      else read.push(found);
    }
    return read;
  }

  /** Undefined where something is wrong with it. */
  #readRow(row: CsvRow): ReportRow | Skipped | undefined {
    const file = this.#file;
    const status = file.cell(row, 'status');
    if (status !== undefined && this.#settled && !this.#settled.has(status.toUpperCase())) return 'status';
    const word = file.cell(row, 'type');
    const type = word === undefined ? 'payment' : this.#types.get(word.toUpperCase());
    if (type === undefined) return 'type';
    if (type === 'fee') return 'fee';
    if (this.faults.enough) return undefined;
    const reference = this.#reference(row);
    const currency = this.#currency(row);
    const amount = currency === undefined ? undefined : this.#amount(row, currency);
    const settled = this.#settledAt(row);
    const transactionRef = this.#transactionRef(row);
    this.#checkFee(row);
    if (reference === undefined || currency === undefined || amount === undefined) return undefined;
    if (settled === undefined || transactionRef === undefined) return undefined;
    return { type, reference, amount, currency, transactionRef, settled, source: row };
  }

  #reference(row: CsvRow): string | undefined {
    const reference = this.#file.cell(row, 'reference') ?? '';
    if (REFERENCE.test(reference)) return reference;
    this.#file.fault(row, 'reference', reference === '' ? 'is empty' : 'is no reference');
    return undefined;
  }

  #currency(row: CsvRow): string | null | undefined {
    const currency = this.#file.cell(row, 'currency')?.toUpperCase();
    if (currency === undefined) return null;
    if (minorDigits(currency) !== undefined) return currency;
    this.#file.fault(row, 'currency', currency === '' ? 'is empty' : 'is no currency (ISO 4217)');
    return undefined;
  }

  #amount(row: CsvRow, currency: string | null): FileAmount | undefined {
    const text = this.#file.cell(row, 'amount') ?? '';
    const amount = readAmount(text, this.profile);
    if (!amount || amount.digits <= 0n) {
      this.#file.fault(row, 'amount', text === '' ? 'is empty' : `must be ${this.#amountForm()}, above zero`);
      return undefined;
    }
    if (currency === null || minorOf(amount, currency) !== undefined) return amount;
    this.#file.fault(row, 'amount', 'has more decimals than its currency');
    return undefined;
  }

  #amountForm(): string {
    const { amountUnit, decimal } = this.profile;
    return amountUnit === 'minor' ? 'a whole number of minor units' : `a number such as 1500${decimal}00`;
  }

  #checkFee(row: CsvRow): void {
    const fee = this.#file.cell(row, 'fee') ?? '';
    if (fee !== '' && !readAmount(fee.replace(/^[+-]/, ''), this.profile))
      this.#file.fault(row, 'fee', `must be ${this.#amountForm()}`);
  }

  #settledAt(row: CsvRow): FileTime | null | undefined {
    const text = this.#file.cell(row, 'settledAt');
    if (text === undefined) return null;
    const time = readTime(text);
    if (!time)
      this.#file.fault(row, 'settledAt', text === '' ? 'is empty' : 'must be a date or a time (ISO 8601)');
    return time;
  }

  #transactionRef(row: CsvRow): string | null | undefined {
    const text = this.#file.cell(row, 'transactionRef') ?? '';
    if (PRINTABLE.test(text)) return text === '' ? null : text;
    this.#file.fault(row, 'transactionRef', 'is no transaction reference');
    return undefined;
  }
}

/** The line of a row. */
export function lineOf(row: ReportRow): number {
  return firstLine(row.source);
}

/**
 * Whether the last cell of a file that ends without the end of a line was cut, going by the cell above it: a time of another form,
 * an amount with other decimals, half of a word that the profile lists. Many programs leave the last line's end out, so that
 * alone says nothing. Pure.
 */
function looksCut(column: string, cell: string, above: string, words: readonly string[]): boolean {
  switch (column) {
    case 'settledAt':
      return form(cell) !== form(above);
    case 'amount':
    case 'fee':
      return decimals(cell) !== decimals(above);
    case 'type':
    case 'status': {
      const upper = cell.toUpperCase();
      return !words.includes(upper) && words.some((word) => word.startsWith(upper));
    }
    case 'currency':
      return cell.length < above.length;
    default:
      return false;
  }
}

const form = (text: string): string => text.replace(/[0-9]/g, '9');

function decimals(text: string): number {
  const point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  return point < 0 ? 0 : text.length - point;
}

/** When a row says that something was settled: a moment, or a whole day. Milliseconds since the epoch. */
interface FileTime {
  readonly from: number;
  readonly until: number;
}

const DAY_MS = 24 * 3_600_000;
const FORM =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?: ?(Z|[+-][0-9]{2}:?[0-9]{2}))?)?$/i;

/**
 * Reads a date or a time (ISO 8601). Without a zone it is UTC. Undefined for any other form: where day and month could be taken for
 * each other nobody should guess.
 */
function readTime(text: string): FileTime | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  const start = Date.parse(`${date}T00:00:00Z`);
  // 30 February is read as 1 March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return undefined;
  if (hour === undefined) return { from: start, until: start + DAY_MS - 1 };
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = Date.parse(
    `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  );
  return Number.isNaN(at) ? undefined : { from: at, until: at };
}
