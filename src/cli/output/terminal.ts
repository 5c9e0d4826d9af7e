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
