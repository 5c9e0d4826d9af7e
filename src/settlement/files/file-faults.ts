import { Problem, type ProblemFault } from '../../http/problems/problem.js';

/** After so many faults nothing more is looked for: the file was made for something else. */
const MOST_FAULTS = 20;

/** What is wrong in a file, by line and column. No message repeats what stands there. */
export class FileFaults {
  readonly #faults: ProblemFault[] = [];

  /** Whether anything is wrong, so that nothing of the file may be used. */
  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** Whether it is not worth looking for more. */
  get enough(): boolean {
    return this.#faults.length >= MOST_FAULTS;
  }

  /** @param column the name that the column has, or should have, in the header; none where the whole line is meant. */
  add(line: number, column: string | undefined, message: string): void {
    if (this.enough) return;
    const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
    this.#faults.push({
      pointer:
        column === undefined ? `/${line}` : `/${line}/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: `${place}: ${message}`,
      line,
      ...(column !== undefined && { column }),
    });
  }

  problem(): Problem {
    return new Problem('validation-failed', 'The file does not fit. Nothing of it was kept.', {
      errors: this.#faults,
    });
  }
}
