import { writePointer } from '../../gateway/profile/pointer.js';
import type { Profile, SettlementProfile } from '../../gateway/profile/schema.js';
import { validationFailed } from '../../http/problems/problem.js';
import { RowReader, type Read, type ReportRow } from './row.js';
import type { ReportFigures } from './settlements.dto.js';
import { openFile } from './text.js';
import { ReportTotals } from './totals.js';

/** So many set-aside rows are listed. */
const MOST_LISTED = 1_000;
/** So many of them are named in a refusal. */
const MOST_NAMED = 50;

/** A row to be kept, and where it is. */
export interface PlacedRow {
  line: number;
  row: ReportRow;
}

/** Reads one report of the gateway. */
export class ReportReader {
  readonly #totals = new ReportTotals();
  readonly #figures: Omit<ReportFigures, 'totals'> = {
    ...{ from: null, to: null, rows: 0, rowsOther: 0, rowsSetAside: 0, setAside: [] },
    skipped: { status: 0, ignore: 0 },
  };

  constructor(private readonly profile: Pick<Profile, 'settlement' | 'reference' | 'digits'>) {}

  /** Those that count, in batches of about so many. Throws `validation-failed` where the file is refused, perhaps after the first batches. */
  async *rows(bytes: AsyncIterable<Uint8Array>, batch: number): AsyncGenerator<PlacedRow[]> {
    const { settlement, reference = {}, digits = {} } = this.profile;
    const { shape, header, records } = await openFile(bytes, settlement);
    const reader = new RowReader(shape, header, reference, digits);
    let found: PlacedRow[] = [];
    for await (const some of records) {
      for (const { line, cells } of some) {
        const row = this.#count(line, reader.read(cells), shape.columns);
        if (row) found.push({ line, row });
      }
      if (found.length < batch) continue;
      yield found;
      found = [];
    }
    this.#assertFewSetAside();
    if (found.length > 0) yield found;
  }

  /** To be read when all rows have been. */
  get figures(): ReportFigures {
    return { ...this.#figures, totals: this.#totals.list() };
  }

  /** What is to be kept of a row. */
  #count(line: number, read: Read, names: SettlementProfile['columns']): ReportRow | undefined {
    const figures = this.#figures;
    figures.rows += 1;
    if (read.is === 'skipped') figures.skipped[read.why] += 1;
    if (read.is === 'other') figures.rowsOther += 1;
    if (read.is === 'setAside') {
      figures.rowsSetAside += 1;
      const column = read.column && (names[read.column] ?? null);
      if (figures.setAside.length < MOST_LISTED) figures.setAside.push({ line, column });
    }
    const row = 'row' in read ? read.row : undefined;
    if (!row) return undefined;
    this.#totals.add(row);
    if (row.settledAt !== null) {
      figures.from = Math.min(figures.from ?? row.settledAt, row.settledAt);
      figures.to = Math.max(figures.to ?? row.settledAt, row.settledAt);
    }
    return row;
  }

  /** A file of which more than a tenth cannot be read was made for something else. */
  #assertFewSetAside(): void {
    const { rows, rowsSetAside, setAside } = this.#figures;
    if (rowsSetAside <= 1 || rowsSetAside * 10 <= rows) return;
    throw validationFailed(
      setAside.slice(0, MOST_NAMED).map(({ line, column }) => ({
        pointer: writePointer(column === null ? [line] : [line, column]),
        message: 'cannot be read',
      })),
    );
  }
}
