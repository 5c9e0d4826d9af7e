import { Parser, CsvError } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import type { FileFaults } from './file-faults.js';

const LINE_FEED = 0x0a;

/** A row below the header. */
export interface CsvRow {
  readonly cells: readonly string[];
  /** Its last line, the header's being 1. */
  readonly lastLine: number;
}

/** The columns that are read: a key for each, and its name in the header. */
export type WantedColumns<K extends string> = Readonly<Partial<Record<K, string>>>;

/**
 * A CSV file (RFC 4180) with a header, read piece by piece. What is wrong with its form is put among the faults. Cells are
 * asked for by the key of their column.
 */
export class CsvFile<K extends string> {
  readonly #parser: Parser;
  readonly #utf8 = new Utf8Check();
  readonly #bounds: RowBounds;
  #rows: CsvRow[] = [];
  #header: readonly string[] | undefined;
  readonly #places = new Map<K, number>();
  #lastLine = 0;
  #endsWithLine = true;
  #broken = false;

  constructor(
    private readonly wanted: WantedColumns<K>,
    delimiter: string,
    private readonly faults: FileFaults,
  ) {
    this.#bounds = new RowBounds(delimiter);
    this.#parser = new Parser({
      bom: true,
      delimiter,
      // Where the bounds see a row's end, too. By default the file's first one would be the only one that counts.
      record_delimiter: ['\r\n', '\n', '\r'],
      // Said by us, with the column that is missing.
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        this.#take(cells, lines);
        // Nothing is passed on: rows are handed out piece by piece.
        return undefined;
      },
    });
    this.#parser.on('error', () => undefined);
    this.#parser.resume();
  }

  /** The rows that end in this piece. None after a fault of the file's form. */
  async push(piece: Buffer): Promise<CsvRow[]> {
    if (this.#broken || piece.length === 0) return [];
    const badLine = this.#utf8.push(piece);
    if (badLine !== undefined) return this.#break(badLine, 'is not UTF-8');
    const tooLarge = this.#bounds.push(piece);
    if (tooLarge) return this.#break(tooLarge.line, tooLarge.message);
    this.#endsWithLine = piece.at(-1) === LINE_FEED;
    return this.#parse((done) => this.#parser.write(piece, done));
  }

  /** The rows that the end of the file ends. */
  async end(): Promise<CsvRow[]> {
    if (this.#broken) return [];
    const badLine = this.#utf8.end();
    if (badLine !== undefined) return this.#break(badLine, 'is not UTF-8');
    const rows = await this.#parse((done) => this.#parser.end(done));
    if (!this.#header && !this.faults.any) this.faults.add(1, undefined, 'the header is missing');
    return rows;
  }

  /** Whether the last row has its line's end. One that has none may be cut. */
  get endsWithLine(): boolean {
    return this.#endsWithLine;
  }

  /** The key of the file's last column, where that is one that is read. */
  get lastColumn(): K | undefined {
    const last = (this.#header?.length ?? 0) - 1;
    return [...this.#places].find(([, place]) => place === last)?.[0];
  }

  /** A cell without blanks around it; undefined where the file has no such column. */
  cell(row: CsvRow, key: K): string | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : row.cells[place]?.trim();
  }

  /** Notes what is wrong with a cell. */
  fault(row: CsvRow, key: K, message: string): void {
    this.faults.add(firstLine(row), this.wanted[key], message);
  }

  #parse(feed: (done: (error?: Error | null) => void) => void): Promise<CsvRow[]> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => {
        resolve(this.#break(this.#lastLine + 1, faultOf(error)));
      };
      this.#parser.once('error', failed);
      feed((error) => {
        this.#parser.off('error', failed);
        if (error) {
          failed(error);
          return;
        }
        const rows = this.#rows;
        this.#rows = [];
        resolve(rows);
      });
    });
  }

  #take(cells: string[], line: number): void {
    this.#lastLine = line;
    if (!this.#header) {
      this.#readHeader(cells.map((name) => name.trim()));
      return;
    }
    const row = { cells, lastLine: line };
    if (cells.length === this.#header.length) this.#rows.push(row);
    else this.#wrongLength(row, this.#header);
  }

  #wrongLength(row: CsvRow, header: readonly string[]): void {
    const lacks = [...this.#places].find(([, place]) => place >= row.cells.length)?.[0];
    const message =
      row.cells.length < header.length
        ? 'the row ends before it'
        : 'the row has more columns than the header';
    this.faults.add(firstLine(row), lacks && this.wanted[lacks], message);
  }

  #readHeader(header: readonly string[]): void {
    this.#header = header;
    const other =
      header.length === 1 ? [',', ';', '\t', '|'].find((sign) => header[0]?.includes(sign)) : undefined;
    const hint = other === undefined ? '' : '; the header is not separated as the profile says';
    for (const [key, name] of Object.entries(this.wanted) as [K, string][]) {
      const place = header.indexOf(name.trim());
      if (place < 0) this.faults.add(1, name, `the header lacks this column${hint}`);
      else if (header.includes(name.trim(), place + 1))
        this.faults.add(1, name, 'the header has this column twice');
      else this.#places.set(key, place);
    }
    if (this.faults.any) this.#broken = true;
  }

  #break(line: number, message: string): CsvRow[] {
    this.#broken = true;
    this.#rows = [];
    if (!this.faults.any) this.faults.add(line, undefined, message);
    return [];
  }
}

/** The line in which a row begins: a cell in quotes may go over several. */
export function firstLine({ cells, lastLine }: CsvRow): number {
  return lastLine - cells.reduce((lines, cell) => lines + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

function faultOf(error: Error): string {
  switch (error instanceof CsvError ? error.code : '') {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is not closed';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands where none can';
    default:
      return 'is not CSV';
  }
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** No row of a report is longer. */
const MOST_BYTES = 16_384;
/** No report has so many columns. */
const MOST_CELLS = 500;

/** A row that is too large: the line in which it begins, the first being 1, and why. */
export interface RowFault {
  readonly line: number;
  readonly message: string;
}

/**
 * Watches the size of a CSV file's rows before they are parsed. A parser makes an object of each cell, however short, so a row of
 * nothing but separators would need fifty times its own size.
 */
class RowBounds {
  readonly #separator: number;
  /** Lines before the present one. */
  #lines = 0;
  #firstLine = 1;
  #bytes = 0;
  #cells = 1;
  /** A quote within a cell is written as two, so the number of quotes so far says whether the cell is still open. */
  #quoted = false;
  #afterReturn = false;

  /** @param delimiter the one ASCII character between cells. */
  constructor(delimiter: string) {
    this.#separator = delimiter.charCodeAt(0);
  }

  /** What is wrong with a row that goes on or ends in this piece of the file; undefined where all rows are small enough. */
  push(piece: Buffer): RowFault | undefined {
    for (const byte of piece) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        // Both together are one end.
        if (byte === CARRIAGE_RETURN || !this.#afterReturn) this.#lines += 1;
        this.#afterReturn = byte === CARRIAGE_RETURN;
        if (!this.#quoted) {
          this.#firstLine = this.#lines + 1;
          this.#bytes = 0;
          this.#cells = 1;
          continue;
        }
      } else {
        this.#afterReturn = false;
        if (byte === QUOTE) this.#quoted = !this.#quoted;
        else if (byte === this.#separator && !this.#quoted && ++this.#cells > MOST_CELLS)
          return { line: this.#firstLine, message: `a row has more than ${MOST_CELLS} columns` };
      }
      if (++this.#bytes > MOST_BYTES)
        return { line: this.#firstLine, message: `a row is longer than ${MOST_BYTES} bytes` };
    }
    return undefined;
  }
}

/** No character has more bytes. */
const LONGEST_CHARACTER = 4;

/** Watches whether bytes that come in pieces are UTF-8. */
class Utf8Check {
  #lines = 0;
  /** The beginning of a character whose end has not come yet. */
  #cut: Buffer = Buffer.alloc(0);

  /** The line of the first fault, from 1; undefined where there is none so far. */
  push(piece: Buffer): number | undefined {
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    const whole = wholeCharacters(bytes);
    this.#cut = Buffer.from(bytes.subarray(whole));
    return this.#check(bytes.subarray(0, whole));
  }

  /** The same at the end, where no character may lack its end. */
  end(): number | undefined {
    return this.#cut.length === 0 ? undefined : this.#lines + 1;
  }

  #check(bytes: Buffer): number | undefined {
    const good = isUtf8(bytes);
    for (let at = 0; ; this.#lines += 1) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (!good && !isUtf8(bytes.subarray(at, end < 0 ? undefined : end))) return this.#lines + 1;
      if (end < 0) return undefined;
      at = end + 1;
    }
  }
}

/** How many of these bytes make whole characters, but for one that is cut at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
