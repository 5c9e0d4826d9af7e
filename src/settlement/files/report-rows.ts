import type { SettlementProfile, SettlementRowType } from '../../gateway/profile/format.js';
import { minorDigits } from '../../money/money.js';
import { CsvFile, firstLine, type CsvRow } from './csv-file.js';
import { looksCut } from './cut-row.js';
import { minorOf, readAmount, type FileAmount } from './file-amount.js';
import type { FileFaults } from './file-faults.js';
import { readTime, type FileTime } from './file-time.js';

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
