import { Problem, type ProblemFault } from '../../http/problems/problem.js';
import type { SetAside, SetAsideRow } from './report-row.js';

/** After so many faults nothing more is named: the file was made for something else. */
const MOST_FAULTS = 20;
/** A person works through no longer list, and an answer holds all of it. */
const MOST_LISTED = 1_000;

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

/** The rows of a file that cannot be read. Few of them are left out; many mean that the file was made for something else. */
export class SetAsideRows {
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

function faultAt(line: number, column: string | undefined, message: string): ProblemFault {
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return {
    pointer:
      column === undefined ? `/${line}` : `/${line}/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: `${place}: ${message}`,
    line,
    ...(column !== undefined && { column }),
  };
}
