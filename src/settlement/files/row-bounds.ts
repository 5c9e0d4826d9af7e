const QUOTE = 0x22;
const LINE_FEED = 0x0a;
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
export class RowBounds {
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
