/** Where a command writes: results to one stream, what happens on the way to the other. */
export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about what is going on, or what went wrong. */
  err(line: string): void;
  /** Replaces the current line of {@link err}; undefined where nobody watches. */
  redraw?: ((line: string) => void) | undefined;
}

/** Standard output and standard error. Only a person's terminal gets lines that are drawn again. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', passOverClosed);
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    redraw: stderr.isTTY ? (line) => void stderr.write(`\r\u001b[K${line}`) : undefined,
  };
}

/** Whoever read us may have had enough (`| head`): what we do goes on to its end and keeps its exit code. */
function passOverClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
