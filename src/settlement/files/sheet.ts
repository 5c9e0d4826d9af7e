import { createHash } from 'node:crypto';
import { Problem, type ProblemFault } from '../../http/problems/problem.js';
import { CsvRows, type CsvRow, type TextEnd } from './csv-rows.js';
import { FileText, type FileEncoding } from './file-text.js';

/** After so many faults nothing more is named: the file was made for something else. */
export const MOST_FAULTS = 20;

/** What is wrong in a file, by line and column, so that nothing of it may be used. No message repeats what stands there. */
export class FileFaults {
  readonly #faults: ProblemFault[] = [];

  /** Whether anything is wrong. */
  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** @param column the name that the column has, or should have, in the header; none where the whole line is meant. */
  add(line: number, column: string | undefined, message: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(faultAt(line, column, message));
  }

  problem(): Problem {
    return unreadable(this.#faults);
  }
}

/** A file that does not fit, of which nothing is kept. */
export function unreadable(errors: readonly ProblemFault[]): Problem {
  return new Problem('validation-failed', 'The file does not fit. Nothing of it was kept.', { errors });
}

export function faultAt(line: number, column: string | undefined, message: string): ProblemFault {
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return {
    pointer:
      column === undefined ? `/${line}` : `/${line}/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: `${place}: ${message}`,
    line,
    ...(column !== undefined && { column }),
  };
}

/** The longest that may stand before the rows: lines that are left out, and the header. */
const LONGEST_HEAD_BYTES = 1_048_576;

/** The columns that are read: a key for each, and its name in the header. */
export type WantedColumns<K extends string> = Readonly<Partial<Record<K, string>>>;

/** How a CSV file with a header is written. */
export interface SheetShape<K extends string> {
  readonly columns: WantedColumns<K>;
  /** The one character between the columns. */
  readonly delimiter: string;
  readonly encoding: FileEncoding;
  /** How many lines stand before the header. */
  readonly skipLines: number;
}

/**
 * A CSV file with a header, read piece by piece in the one of several shapes whose columns its header has. What is wrong with the file as a whole is put among
 * the faults; then it gives no rows.
 */
export class Sheet<K extends string, S extends SheetShape<K>> {
  readonly #rawDigest = createHash('sha256');
  #heads: readonly Head<K, S>[];
  /** What came before the shape was known. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #body: Body<K, S> | undefined;

  constructor(
    shapes: readonly S[],
    private readonly faults: FileFaults,
  ) {
    this.#heads = shapes.map((shape) => new Head(shape));
  }

  /** The shape whose columns the header has; undefined before that is known, and where none fits. */
  get shape(): S | undefined {
    return this.#body?.shape;
  }

  /** The rows that end in this piece. */
  push(piece: Buffer): readonly CsvRow[] {
    this.#rawDigest.update(piece);
    if (this.faults.any) return [];
    if (this.#body) return this.#read(this.#body.push(piece));
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
    for (const head of this.#heads) head.push(piece);
    if (this.#heads.some(({ isRead }) => !isRead) && this.#keptBytes <= LONGEST_HEAD_BYTES) return [];
    return this.#begin();
  }

  /** The row that the end of the file ends. */
  end(): readonly CsvRow[] {
    if (this.faults.any) return [];
    for (const head of this.#heads) head.end();
    const rows = this.#body ? [] : this.#begin();
    return [...rows, ...this.#read(this.#body?.end() ?? [])];
  }

  /** How the file ends, at its end. */
  get ending(): TextEnd {
    return this.#body?.ending ?? 'line';
  }

  /** The line in which the last row begins, where the file ends in its middle. */
  get openLine(): number {
    return this.#body?.openLine ?? 1;
  }

  /** How many columns the header has. */
  get width(): number {
    return this.#body?.width ?? 0;
  }

  /** A cell without blanks around it; undefined where the file has no such column. */
  cell(row: CsvRow, key: K): string | undefined {
    return this.#body?.cell(row, key);
  }

  /** The key of the file's last column, where that is one that is read. */
  get lastColumn(): K | undefined {
    return this.#body?.keyAt(this.width - 1);
  }

  /** The name of the first column that a row of this length lacks. */
  lackingAt(length: number): string | undefined {
    return this.#body?.lackingAt(length);
  }

  /** Of the text, at the end: line ends, byte order mark and encoding apart. Of the bytes where no shape fits. */
  digest(): string {
    return this.#body?.digest() ?? this.rawDigest();
  }

  /** Of the bytes. */
  rawDigest(): string {
    return this.#rawDigest.copy().digest('hex');
  }

  #read(rows: readonly CsvRow[]): readonly CsvRow[] {
    const line = this.#body?.badLine;
    if (line === undefined) return rows;
    if (this.faults.any) return [];
    this.faults.add(line, undefined, `is not ${this.#body?.shape.encoding ?? 'text'}`);
    return [];
  }

  /** Takes the shape that fits, and reads with it what has come so far. */
  #begin(): readonly CsvRow[] {
    const kept = this.#kept;
    this.#kept = [];
    const head = chosen(this.#heads, this.faults);
    this.#heads = [];
    if (!head) return [];
    const body = new Body(head);
    this.#body = body;
    return this.#read(kept.flatMap((piece) => body.push(piece)));
  }
}

/** A file's text in one shape. */
class ShapedText<K extends string, S extends SheetShape<K>> {
  protected readonly text: FileText;
  protected readonly rows: CsvRows;
  #linesToSkip: number;

  constructor(
    readonly shape: S,
    take: (row: CsvRow) => void,
  ) {
    this.text = new FileText(shape.encoding);
    this.#linesToSkip = shape.skipLines;
    this.rows = new CsvRows(shape.delimiter, take, shape.skipLines + 1);
  }

  /** The line of the first byte that is not of the encoding; undefined where there is none so far. */
  get badLine(): number | undefined {
    if (!this.text.isBad) return undefined;
    return this.#linesToSkip > 0 ? this.shape.skipLines - this.#linesToSkip + 1 : this.rows.line;
  }

  protected feed(piece: Buffer): void {
    let text = this.text.push(piece);
    while (this.#linesToSkip > 0 && text !== '') {
      const end = text.indexOf('\n');
      text = end < 0 ? '' : text.slice(end + 1);
      if (end >= 0) this.#linesToSkip -= 1;
    }
    this.rows.push(text);
  }
}

/** Reads the header of a file in one shape, to see whether it fits. */
class Head<K extends string, S extends SheetShape<K>> extends ShapedText<K, S> {
  #row: CsvRow | undefined;
  #isRead = false;

  constructor(shape: S) {
    super(shape, (row) => {
      this.#row ??= row;
    });
  }

  push(piece: Buffer): void {
    if (this.#isRead) return;
    this.feed(piece);
    this.#isRead = this.#row !== undefined || this.fault !== undefined;
  }

  end(): void {
    if (this.#isRead) return;
    this.text.end();
    this.rows.end();
    this.#isRead = true;
  }

  /** Whether it is known what the header is, or that it cannot be read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The names in the header; none where it cannot be read. */
  get header(): readonly string[] {
    return this.#row?.cells.map((name) => name.trim()) ?? [];
  }

  get line(): number {
    return this.#row?.line ?? this.shape.skipLines + 1;
  }

  /** Why the header cannot be read. */
  get fault(): { line: number; message: string } | undefined {
    const { badLine } = this;
    if (this.#row === undefined && badLine !== undefined)
      return { line: badLine, message: `is not ${this.shape.encoding}` };
    const unread = this.rows.fault ?? (this.#isRead ? NO_HEADER : undefined);
    const message = this.#row ? this.#row.fault : unread;
    return message === undefined ? undefined : { line: this.line, message };
  }

  /** The columns that the header lacks, or has twice. */
  get unfit(): readonly { column: string; message: string }[] {
    const { header, shape } = this;
    const signs = [',', ';', '\t', '|'].filter((sign) => sign !== shape.delimiter);
    const isOther = header.length === 1 && signs.some((sign) => header[0]?.includes(sign));
    const hint = isOther ? '; the header is not separated as the profile says' : '';
    return namesOf(shape).flatMap((column) => {
      const place = header.indexOf(column);
      if (place < 0) return [{ column, message: `the header lacks this column${hint}` }];
      const isTwice = header.includes(column, place + 1);
      return isTwice ? [{ column, message: 'the header has this column twice' }] : [];
    });
  }
}

const NO_HEADER = 'the header is missing';

/** Reads the rows below the header of a file whose shape is known. */
class Body<K extends string, S extends SheetShape<K>> extends ShapedText<K, S> {
  readonly width: number;
  readonly #places: ReadonlyMap<K, number>;
  #rows: CsvRow[] = [];
  #isHeader = true;
  #ending: TextEnd = 'line';

  constructor({ shape, header }: Head<K, S>) {
    super(shape, (row) => {
      if (!this.#isHeader) this.#rows.push(row);
      this.#isHeader = false;
    });
    this.width = header.length;
    const named = Object.entries(shape.columns) as [K, string][];
    this.#places = new Map(named.map(([key, name]) => [key, header.indexOf(name.trim())]));
  }

  push(piece: Buffer): readonly CsvRow[] {
    this.feed(piece);
    return this.#take();
  }

  end(): readonly CsvRow[] {
    this.text.end();
    this.#ending = this.rows.end();
    return this.#take();
  }

  get ending(): TextEnd {
    return this.#ending;
  }

  get openLine(): number {
    return this.rows.firstLine;
  }

  digest(): string {
    return this.text.digest();
  }

  cell(row: CsvRow, key: K): string | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : row.cells[place]?.trim();
  }

  keyAt(wanted: number): K | undefined {
    return [...this.#places].find(([, place]) => place === wanted)?.[0];
  }

  lackingAt(length: number): string | undefined {
    const key = [...this.#places].find(([, place]) => place >= length)?.[0];
    return key && this.shape.columns[key];
  }

  #take(): readonly CsvRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

/** The head with the most columns of those that fit. Undefined where there is none, or where two have as many: then it is a fault. */
function chosen<K extends string, S extends SheetShape<K>>(
  heads: readonly Head<K, S>[],
  faults: FileFaults,
): Head<K, S> | undefined {
  const fitting = heads
    .filter(({ fault, unfit }) => fault === undefined && unfit.length === 0)
    .sort((one, other) => namesOf(other.shape).length - namesOf(one.shape).length);
  const [best, next] = fitting;
  if (!best) {
    explain(heads, faults);
    return undefined;
  }
  if (next && namesOf(next.shape).length === namesOf(best.shape).length) {
    faults.add(best.line, undefined, 'the header fits two shapes of the profile alike');
    return undefined;
  }
  return best;
}

/** Says what is wrong with the header, by the shape that it is nearest to. */
function explain<K extends string, S extends SheetShape<K>>(
  heads: readonly Head<K, S>[],
  faults: FileFaults,
): void {
  const [nearest] = heads
    .map((head) => ({ head, share: head.fault ? 1 : head.unfit.length / namesOf(head.shape).length }))
    .sort((one, other) => one.share - other.share);
  if (!nearest) return;
  const { head } = nearest;
  const headers = new Set(heads.map(({ shape }) => namesOf(shape).join('\n')));
  if (headers.size > 1)
    faults.add(head.line, undefined, 'the header fits no shape of the profile; what the nearest one lacks');
  if (head.fault) faults.add(head.fault.line, undefined, head.fault.message);
  else for (const { column, message } of head.unfit) faults.add(head.line, column, message);
}

function namesOf<K extends string>({ columns }: SheetShape<K>): readonly string[] {
  return Object.values<string | undefined>(columns).flatMap((name) => name?.trim() ?? []);
}
