import type { SettlementColumn, SettlementProfile } from '../../gateway/profile/format.js';
import { FileRows } from './file-rows.js';
import type { ReportRow } from './report-row.js';
import { ReportRows } from './report-rows.js';

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
