import type { Terminal } from './terminal.js';

const BAR_WIDTH = 24;

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
