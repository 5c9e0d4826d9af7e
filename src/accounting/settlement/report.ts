import type { Profile } from '../../gateway/profile/schema.js';
import { validationFailed } from '../../http/problems/problem.js';
import { RowReader, type ReportRow } from './row.js';
import { openFile } from './text.js';
import { ReportTotals, type Totals } from './totals.js';

/** So many set-aside rows are listed. */
const MOST_LISTED = 1_000;
/** So many of them are named in a refusal. */
const MOST_NAMED = 50;

/** A row to be kept, and where it is. */
export interface PlacedRow {
  line: number;
  row: ReportRow;
}

/** What a report comes to, besides its rows. */
export interface ReportFigures {
  from: number | null;
  to: number | null;
  rows: number;
  rowsOther: number;
  rowsSetAside: number;
  /** `column` as the header names it; null: the whole line. */
  setAside: { line: number; column: string | null }[];
  skipped: { status: number; ignore: number };
  totals: Totals[];
}

/** Reads one report of the gateway. */
export class ReportReader {
  readonly #totals = new ReportTotals();
  readonly #figures: Omit<ReportFigures, 'totals'> = {
    ...{ from: null, to: null, rows: 0, rowsOther: 0, rowsSetAside: 0, setAside: [] },
    skipped: { status: 0, ignore: 0 },
  };

  constructor(private readonly profile: Pick<Profile, 'settlement' | 'reference' | 'digits'>) {}

  /** Those that count, in batches. Throws `validation-failed` where the file is refused, perhaps after the first batches. */
  async *rows(bytes: AsyncIterable<Uint8Array>, batch: number): AsyncGenerator<PlacedRow[]> {
    const { settlement, reference = {}, digits = {} } = this.profile;
    const { shape, header, records } = await openFile(bytes, settlement);
    const reader = new RowReader(shape, header, reference, digits);
    const figures = this.#figures;
    let found: PlacedRow[] = [];
    for await (const { line, cells } of records) {
      figures.rows += 1;
      const read = reader.read(cells);
      if (read.is === 'skipped') figures.skipped[read.why] += 1;
      else if (read.is === 'setAside') {
        figures.rowsSetAside += 1;
        const column = read.column && (shape.columns[read.column] ?? null);
        if (figures.setAside.length < MOST_LISTED) figures.setAside.push({ line, column });
      } else {
        if (read.is === 'other') figures.rowsOther += 1;
        if (!read.row) continue;
        this.#count(read.row);
        found.push({ line, row: read.row });
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

  #count(row: ReportRow): void {
    this.#totals.add(row);
    const { settledAt } = row;
    if (settledAt === null) return;
    const { from, to } = this.#figures;
    if (from === null || settledAt < from) this.#figures.from = settledAt;
    if (to === null || settledAt > to) this.#figures.to = settledAt;
  }

  /** A file of which more than a tenth cannot be read was made for something else. */
  #assertFewSetAside(): void {
    const { rows, rowsSetAside, setAside } = this.#figures;
    if (rowsSetAside <= 1 || rowsSetAside * 10 <= rows) return;
    throw validationFailed(
      setAside.slice(0, MOST_NAMED).map(({ line, column }) => ({
        pointer:
          column === null ? `/${line}` : `/${line}/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        message: 'cannot be read',
      })),
    );
  }
}
