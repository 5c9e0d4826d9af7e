import { holdsCardNumber } from '../../card-numbers/holds-card-number.js';
import { minorDigits } from '../../money/money.js';
import { CsvFile, firstLine, type CsvRow } from './csv-file.js';
import { minorOf, readAmount, type FileAmount } from './file-amount.js';
import type { FileFaults } from './file-faults.js';

const COLUMNS = { reference: 'reference', amount: 'amount', currency: 'currency', status: 'status' } as const;
const REFERENCE = /^[A-Za-z0-9.-]{1,40}$/;
const FORM = { amountUnit: 'major', decimal: '.' } as const;

/** An order of the merchant's own list. */
export interface OrderRow {
  /** The merchant's reference. */
  readonly reference: string;
  readonly amount: FileAmount;
  readonly currency: string;
  /** Whether the merchant has it down as paid. */
  readonly paid: boolean;
  readonly line: number;
}

/** The merchant's own list: `reference,amount,currency,status`, amounts in major units, paid where the status is `paid`. */
export class OrderRows {
  readonly #file: CsvFile<keyof typeof COLUMNS>;
  count = 0;

  constructor(faults: FileFaults) {
    this.#file = new CsvFile(COLUMNS, ',', faults);
  }

  async push(piece: Buffer): Promise<OrderRow[]> {
    return this.#read(await this.#file.push(piece));
  }

  async end(): Promise<OrderRow[]> {
    return this.#read(await this.#file.end());
  }

  #read(rows: readonly CsvRow[]): OrderRow[] {
    this.count += rows.length;
    return rows.flatMap((row) => this.#readRow(row) ?? []);
  }

  #readRow(row: CsvRow): OrderRow | undefined {
    const file = this.#file;
    const cell = (key: keyof typeof COLUMNS): string => file.cell(row, key) ?? '';
    const [reference, currency, status] = [cell('reference'), cell('currency').toUpperCase(), cell('status')];
    const amount = readAmount(cell('amount'), FORM);
    if (!REFERENCE.test(reference)) file.fault(row, 'reference', 'is no reference');
    else if (holdsCardNumber(reference)) file.fault(row, 'reference', 'must hold no card number');
    else if (minorDigits(currency) === undefined) file.fault(row, 'currency', 'is no currency (ISO 4217)');
    else if (!amount || minorOf(amount, currency) === undefined)
      file.fault(row, 'amount', 'must be a number such as 1500.00');
    else if (status === '') file.fault(row, 'status', 'is empty');
    else return { reference, amount, currency, paid: status.toLowerCase() === 'paid', line: firstLine(row) };
    return undefined;
  }
}
