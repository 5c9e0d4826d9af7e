/** No row of a file is longer, in characters. */
export const MOST_CHARACTERS = 16_384;
/** No file has so many columns. */
export const MOST_CELLS = 500;

/** A row of a CSV file. */
export interface CsvRow {
  /** Empty where the row has a fault. */
  readonly cells: readonly string[];
  /** The line in which it begins, the file's first being 1. */
  readonly line: number;
  /** The line in which it ends: a cell in quotes may go over several. */
  readonly lastLine: number;
  /** Why it cannot be read. */
  readonly fault?: string;
}

const QUOTE = '"';
const LINE_FEED = '\n';
const QUOTE_CODE = QUOTE.charCodeAt(0);
const LINE_FEED_CODE = LINE_FEED.charCodeAt(0);

/** Where in a row the reader is: before a cell, in one without quotes, in one with them, just behind a quote that closes it, or behind that. */
type Place = 'before' | 'plain' | 'quoted' | 'closed' | 'behind';

/** How a text ends: behind a line, in a last line that has no end, or in a cell in quotes, so that its last row is cut. */
export type TextEnd = 'line' | 'no line' | 'cut';

/**
 * Splits text that comes in pieces into rows (RFC 4180). Each line ends in a line feed. A row that is longer, or has more cells, than any file
 * has is not kept, so that no text costs more memory than its largest row may. A quote where none can stand is a fault of its row
 * alone. Blank lines are passed over.
 */
export class CsvRows {
  #place: Place = 'before';
  #cells: string[] = [];
  #cell = '';
  #characters = 0;
  #fault: string | undefined;
  /** Whether anything of the present row has come. */
  #begun = false;
  #line: number;
  #firstLine: number;

  /**
   * @param delimiter the one character between cells.
   * @param firstLine the number of the line with which the text begins.
   */
  constructor(
    private readonly delimiter: string,
    private readonly take: (row: CsvRow) => void,
    firstLine = 1,
  ) {
    this.#line = firstLine;
    this.#firstLine = firstLine;
  }

  /** The line that the text has come to. */
  get line(): number {
    return this.#line;
  }

  /** The line in which the row begins that has not ended. */
  get firstLine(): number {
    return this.#firstLine;
  }

  /** Why that row cannot be read. */
  get fault(): string | undefined {
    return this.#fault;
  }

  push(text: string): void {
    for (let at = 0; at < text.length;) {
      if (!this.#begun && text.charCodeAt(at) === LINE_FEED_CODE) {
        this.#line += 1;
        this.#firstLine = this.#line;
        at += 1;
        continue;
      }
      const end = this.#begun ? -1 : text.indexOf(LINE_FEED, at);
      const line = end < 0 ? undefined : text.slice(at, end);
      if (line === undefined || line.includes(QUOTE)) {
        at = this.#step(text, at);
      } else {
        this.#takeLine(line);
        at = end + 1;
      }
    }
  }

  /** Ends the text, and its last row where that is not cut. */
  end(): TextEnd {
    if (!this.#begun) return 'line';
    if (this.#place === 'quoted') return 'cut';
    this.#endRow();
    return 'no line';
  }

  /** A whole line in which no quote stands: nearly all of them. */
  #takeLine(line: string): void {
    if (line.length > MOST_CHARACTERS) this.#fault = TOO_LONG;
    else {
      // One more than there may be, so that more are seen.
      this.#cells = line.split(this.delimiter, MOST_CELLS + 1);
      if (this.#cells.length > MOST_CELLS) this.#fault = TOO_MANY;
    }
    this.#give(isBlank(line));
  }

  /** Reads on to the row's end, or to the text's. Returns the place behind it. */
  #step(text: string, from: number): number {
    this.#begun = true;
    let at = from;
    while (at < text.length) {
      const next = this.#cellEnd(text, at);
      this.#keep(text, at, next);
      if (next >= text.length) return next;
      at = next + 1;
      const sign = text[next];
      if (sign === QUOTE) this.#quote();
      else if (sign === LINE_FEED) {
        if (this.#place !== 'quoted') {
          this.#endRow();
          return at;
        }
        this.#line += 1;
        this.#keep(text, next, at);
      } else if (this.#place === 'quoted') this.#keep(text, next, at);
      else this.#endCell();
    }
    return at;
  }

  /** The place of the next character that means something. */
  #cellEnd(text: string, from: number): number {
    const delimiter = this.delimiter.charCodeAt(0);
    for (let at = from; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (sign === QUOTE_CODE || sign === LINE_FEED_CODE || sign === delimiter) return at;
    }
    return text.length;
  }

  #quote(): void {
    switch (this.#place) {
      case 'before':
        this.#place = 'quoted';
        break;
      case 'quoted':
        this.#place = 'closed';
        break;
      case 'closed':
        // Two quotes in a cell with quotes are one.
        this.#place = 'quoted';
        this.#cell += QUOTE;
        break;
      case 'plain':
      case 'behind':
        this.#fault ??= MISPLACED;
    }
    this.#count(1);
  }

  /** Keeps characters of a cell. */
  #keep(text: string, from: number, to: number): void {
    if (from === to) return;
    this.#count(to - from);
    if (this.#place === 'closed' || this.#place === 'behind') {
      this.#place = 'behind';
      if (!isBlank(text.slice(from, to))) this.#fault ??= MISPLACED;
      return;
    }
    if (this.#place === 'before') this.#place = 'plain';
    if (this.#fault === undefined) this.#cell += text.slice(from, to);
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= MOST_CHARACTERS) return;
    this.#fault ??= TOO_LONG;
    this.#cell = '';
  }

  #endCell(): void {
    this.#count(1);
    if (this.#fault === undefined) this.#cells.push(this.#cell);
    if (this.#cells.length >= MOST_CELLS) this.#fault ??= TOO_MANY;
    this.#cell = '';
    this.#place = 'before';
  }

  #endRow(): void {
    const isQuoted = this.#place === 'closed' || this.#place === 'behind';
    const nothing = this.#cells.length === 0 && !isQuoted && isBlank(this.#cell);
    if (this.#fault === undefined) this.#cells.push(this.#cell);
    this.#give(nothing);
  }

  #give(nothing: boolean): void {
    const [line, lastLine, fault] = [this.#firstLine, this.#line, this.#fault];
    const cells = fault === undefined ? this.#cells : [];
    this.#line += 1;
    this.#firstLine = this.#line;
    this.#place = 'before';
    this.#cells = [];
    this.#cell = '';
    this.#characters = 0;
    this.#fault = undefined;
    this.#begun = false;
    if (fault !== undefined) this.take({ cells, line, lastLine, fault });
    else if (!nothing) this.take({ cells, line, lastLine });
  }
}

function isBlank(text: string): boolean {
  return /^ *$/.test(text);
}

const TOO_LONG = `a row is longer than ${MOST_CHARACTERS} characters`;
const TOO_MANY = `a row has more than ${MOST_CELLS} columns`;
const MISPLACED = 'a quote stands where none can';
