import { createInterface } from 'node:readline';

/** Where a command writes: results to one stream, progress and errors to the other. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about progress or an error. */
  err(line: string): void;
  /** Replaces the current line of {@link err}. Undefined where the stream is not a terminal. */
  redraw?: ((line: string) => void) | undefined;
  /** Asks a person, and resolves with what they typed. Undefined where nobody sits at a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** Standard output and standard error. Only a terminal gets lines that are redrawn, and questions. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', passOverClosed);
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    redraw: stderr.isTTY ? (line) => void stderr.write(`\r\u001b[K${line}`) : undefined,
    ask: stdin.isTTY && stderr.isTTY ? askOnTerminal : undefined,
  };
}

/** An end of input, as by Ctrl+D, is an empty answer. */
function askOnTerminal(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process;
  const line = createInterface({ input, output });
  return new Promise((resolve) => {
    line.once('close', () => resolve(''));
    line.question(question, (answer) => {
      resolve(answer);
      line.close();
    });
  });
}

/**
 * The reader may stop early (`
 * head`). The command still finishes and keeps its exit code.
 */
function passOverClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** What is printed of an item, by the heading of its column. */
export type Columns<T> = Readonly<Record<string, (item: T) => string>>;

export function cellsOf<T>(columns: Columns<T>, item: T): string[] {
  return Object.values(columns).map((cell) => cell(item));
}

/** Formats rows of cells as lines. Each column is as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const BAR_WIDTH = 24;
/** So much of a long work is done at a time, so that payers' calls are not delayed. */
const AT_ONCE = 4;

/** A command's result, for people and for programs. */
export interface Report {
  /** Lines for people. */
  text: readonly string[];
  /** The same result for programs. */
  json: unknown;
}

/** Writes the result as text or, with `--json`, as one JSON document, and shows the progress of long work. */
export class Reporter {
  constructor(
    private readonly terminal: Terminal,
    readonly json: boolean,
  ) {}

  /** The result. Called once. */
  report({ text, json }: Report): void {
    if (this.json) this.terminal.out(JSON.stringify(json, null, 2));
    else for (const line of text) this.terminal.out(line);
  }

  /** A remark during the work for a person. Programs do not get it. */
  say(line: string): void {
    if (!this.json) this.terminal.err(line);
  }

  /** Something that a person must do now, whoever reads the result. */
  ask(line: string): void {
    this.terminal.err(line);
  }

  /** Whether a person at the terminal says yes. Where nobody sits at one, the command line itself is their word. */
  async confirms(question: string): Promise<boolean> {
    const { ask } = this.terminal;
    if (ask === undefined) return true;
    return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim());
  }

  /** Counts `total` steps: a progress bar on a terminal, a line for every tenth elsewhere, nothing with `--json`. */
  progress(label: string, total: number): Progress {
    if (this.json || total === 0) return { step: () => undefined, end: () => undefined };
    const { redraw } = this.terminal;
    return redraw ? bar(label, total, redraw) : tenths(label, total, (line) => this.terminal.err(line));
  }

  /** Runs `work` for each item, a few at a time, and shows the progress. The results are in the order of the items. */
  async each<T, R>(label: string, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const progress = this.progress(label, items.length);
    const results: R[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < items.length; index = next++) {
        results[index] = await work(items[index] as T);
        progress.step();
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
    progress.end();
    return results;
  }
}

export interface Progress {
  /** One more step is done. */
  step(): void;
  /** The work is over. */
  end(): void;
}

function bar(label: string, total: number, redraw: (line: string) => void): Progress {
  let done = 0;
  const draw = (): void => {
    const full = Math.round((done / total) * BAR_WIDTH);
    redraw(`${label} [${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${done}/${total}`);
  };
  draw();
  return {
    step: () => {
      done += 1;
      draw();
    },
    end: () => redraw(''),
  };
}

function tenths(label: string, total: number, write: (line: string) => void): Progress {
  let done = 0;
  return {
    step: () => {
      done += 1;
      const tenth = (count: number): number => Math.floor((count / total) * 10);
      if (tenth(done) > tenth(done - 1)) write(`${label} ${done}/${total}`);
    },
    end: () => undefined,
  };
}
