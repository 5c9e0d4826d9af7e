import { setImmediate } from 'node:timers/promises';
import type { CsvRow } from './csv-rows.js';
import type { SetAside, SetAsideRow } from './report-row.js';
import { faultAt, FileFaults, MOST_FAULTS, Sheet, unreadable, type SheetShape } from './sheet.js';
import type { Problem, ProblemFault } from '../../http/problems/problem.js';

/** A person works through no longer list, and an answer holds all of it. */
const MOST_LISTED = 1_000;

/** The rows of a file that cannot be read. Few of them are left out; many mean that the file was made for something else. */
class SetAsideRows {
  #count = 0;
  readonly #rows: SetAsideRow[] = [];
  readonly #faults: ProblemFault[] = [];

  /** One row, by the line in which it begins. */
  add(line: number, column: string | undefined, message: string): void {
    this.#count += 1;
    if (this.#rows.length < MOST_LISTED) this.#rows.push({ line, column: column ?? null });
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(faultAt(line, column, message));
  }

  /**
   * Text of which nobody can say which rows it has: each of its lines counts as one.
   * @returns how many these are.
   */
  addLines(from: number, to: number, column: string | undefined, message: string): number {
    const listed = Math.min(to, from + MOST_LISTED);
    for (let line = from; line <= listed; line++) this.add(line, column, message);
    this.#count += to - listed;
    return to - from + 1;
  }

  get count(): number {
    return this.#count;
  }

  problem(): Problem {
    return unreadable(this.#faults);
  }

  list(): SetAside {
    return { count: this.#count, rows: this.#rows };
  }
}

/** So long other work may wait while a file is read. */
const LONGEST_TURN_MS = 20;

/** What a cell says, by the key of its column: without blanks around it; undefined where the file has no such column. */
export type Cells<K extends string> = (key: K) => string | undefined;

/** Why a row cannot be read. It repeats nothing that stands there. */
export class CellFault<K extends string> extends Error {
  constructor(
    readonly column: K,
    message: string,
  ) {
    super(message);
  }
}

/** How the rows of a file are understood. */
export interface RowForm<K extends string, R extends object> {
  /** What a row says; a word for why it does not count. Throws {@link CellFault}. */
  read(cells: Cells<K>, line: number): R | string;
  /** The words that a cell may consist of, in capitals: half of one is a cut one. */
  readonly words: readonly string[];
  /** Of which form the cells of a column are, so that one that was cut can be told. */
  readonly kinds: Readonly<Partial<Record<K, CellKind>>>;
}

/** How cells of a column resemble each other: by where digits and signs stand, by their number of decimals, or in being one of the words. */
export type CellKind = 'form' | 'decimals' | 'word';

/**
 * Reads the rows of a CSV file in the one of several shapes that fits. A row that cannot be read is set aside. The file is refused where its header fits
 * no shape, its last row is cut, its bytes are not of its encoding, or too many of its rows would be set aside.
 */
export class FileRows<K extends string, S extends SheetShape<K>, R extends object> {
  readonly #faults = new FileFaults();
  readonly #sheet: Sheet<K, S>;
  readonly #aside = new SetAsideRows();
  readonly #skipped: Record<string, number> = {};
  #count = 0;
  #form: RowForm<K, R> | undefined;
  #last: CsvRow | undefined;
  #lastButOne: CsvRow | undefined;
  /** The column in which the last row cannot be read. */
  #lastFault: K | undefined;

  constructor(
    shapes: readonly S[],
    private readonly formOf: (shape: S) => RowForm<K, R>,
    /** How many of so many rows may be set aside. */
    private readonly mayBeAside: (count: number, rows: number) => boolean,
  ) {
    this.#sheet = new Sheet(shapes, this.#faults);
  }

  /**
   * Reads a file to its end, whatever is wrong in it, so that its sender can read the answer. Gives the rows that each piece ends; none where it
   * ends none, so that the caller can show that the work goes on. At the end it throws `validation-failed` where the file is refused: nothing
   * of what it gave may be used then.
   */
  async *rows(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly R[], void, undefined> {
    const turns = new Turns();
    for await (const piece of pieces) {
      yield this.#read(this.#sheet.push(piece));
      await turns.takeTurns();
    }
    yield this.#read(this.#sheet.end());
    this.#lookAtEnd();
    if (this.#faults.any) throw this.#faults.problem();
    if (!this.mayBeAside(this.#aside.count, this.#count)) throw this.#aside.problem();
  }

  /** Reads a file to its end for its digest alone. */
  async digestOf(pieces: AsyncIterable<Buffer>): Promise<string> {
    const turns = new Turns();
    for await (const piece of pieces) {
      this.#sheet.push(piece);
      await turns.takeTurns();
    }
    this.#sheet.end();
    return this.digest();
  }

  /** The shape that fits; undefined before the header was read. */
  get shape(): S | undefined {
    return this.#sheet.shape;
  }

  /** How many rows there are below the header. */
  get rowCount(): number {
    return this.#count;
  }

  /** How many rows do not count, by why. */
  get skipped(): Readonly<Record<string, number>> {
    return this.#skipped;
  }

  get setAside(): SetAside {
    return this.#aside.list();
  }

  /** At the end: a digest (SHA-256, hexadecimal) of the text, whatever its line ends, byte order mark and encoding. */
  digest(): string {
    return this.#sheet.digest();
  }

  /** At the end: a digest of the bytes. */
  rawDigest(): string {
    return this.#sheet.rawDigest();
  }

  #read(rows: readonly CsvRow[]): readonly R[] {
    const { shape } = this.#sheet;
    if (rows.length === 0 || !shape) return [];
    this.#form ??= this.formOf(shape);
    const found: R[] = [];
    for (const row of rows) {
      this.#lastFault = undefined;
      const read = this.#readRow(row, this.#form);
      if (typeof read === 'string') this.#skipped[read] = (this.#skipped[read] ?? 0) + 1;
      else if (read) found.push(read);
      this.#lastButOne = this.#last;
      this.#last = row;
    }
    return found;
  }

  /** Undefined where it is set aside. */
  #readRow(row: CsvRow, form: RowForm<K, R>): R | string | undefined {
    const { line, lastLine, cells, fault } = row;
    if (fault !== undefined || cells.length !== this.#sheet.width) {
      const isShort = fault === undefined && cells.length < this.#sheet.width;
      const column = isShort ? this.#sheet.lackingAt(cells.length) : undefined;
      const why = fault ?? (isShort ? 'the row ends before it' : 'the row has more columns than the header');
      this.#count += this.#aside.addLines(line, lastLine, column, why);
      return undefined;
    }
    this.#count += 1;
    try {
      return form.read((key) => this.#sheet.cell(row, key), line);
    } catch (error) {
      if (!(error instanceof CellFault)) throw error;
      const column = error.column as K;
      this.#aside.add(line, this.#sheet.shape?.columns[column], error.message);
      this.#lastFault = column;
      return undefined;
    }
  }

  /** Whether the file ends in the middle of a row. Many programs leave out the last line's end, so that alone says nothing. */
  #lookAtEnd(): void {
    const [sheet, last] = [this.#sheet, this.#last];
    if (sheet.ending === 'cut')
      this.#faults.add(sheet.openLine, undefined, 'a quote is not closed, or the last row is cut');
    if (sheet.ending !== 'no line' || !last) return;
    const { lastColumn } = sheet;
    const name = lastColumn && sheet.shape?.columns[lastColumn];
    if (last.fault !== undefined)
      this.#faults.add(last.line, undefined, `${last.fault}; the last row is cut`);
    else if (last.cells.length < sheet.width)
      this.#faults.add(last.line, sheet.lackingAt(last.cells.length), 'the last row is cut');
    else if (lastColumn !== undefined && (this.#lastFault === lastColumn || this.#looksCut(lastColumn, last)))
      this.#faults.add(last.line, name, 'the last row is cut');
  }

  /** Goes by the cell above. */
  #looksCut(column: K, last: CsvRow): boolean {
    const cell = this.#sheet.cell(last, column) ?? '';
    const above = (this.#lastButOne && this.#sheet.cell(this.#lastButOne, column)) ?? '';
    switch (this.#form?.kinds[column]) {
      case 'word':
        return isHalf(cell, this.#form.words);
      case 'form':
        return above !== '' && formOf(cell) !== formOf(above);
      case 'decimals':
        return above !== '' && cell !== '' && decimalsOf(cell) !== decimalsOf(above);
      default:
        return false;
    }
  }
}

/** Whoever unpacks much from little has many pieces without a turn of the event loop between them. */
class Turns {
  #since = performance.now();

  /** Lets others have their turn, where they have waited for one. */
  async takeTurns(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_TURN_MS) return;
    await setImmediate();
    this.#since = performance.now();
  }
}

/** Half of a word that may stand there. */
function isHalf(cell: string, words: readonly string[]): boolean {
  const upper = cell.toUpperCase();
  return !words.includes(upper) && words.some((word) => word.startsWith(upper));
}

function formOf(text: string): string {
  return text.replace(/[0-9]/g, '9');
}

function decimalsOf(text: string): number {
  const point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  return point < 0 ? 0 : text.length - point;
}
