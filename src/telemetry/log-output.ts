import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { isError } from './error-fields.js';

/**
 * The most UTF-16 units of lines that wait for a slow reader. Further lines are dropped and counted, because a log must not
 * fill the memory.
 */
const MAX_WAITING = 16 * 1024 * 1024;
/**
 * Lines within this many milliseconds share one write. Handing a write to another thread costs 10 µs, and a turn of the
 * event loop often has only one line.
 */
const GATHER_MS = 10;
/** This many characters are written at once, without waiting for more lines. */
const ENOUGH = 64 * 1024;
/** How long to wait before writing again to an output whose reader is slow. */
const RETRY_MS = 10;
/** The same for one that fails, such as a file on a full disk. */
const RETRY_FAILED_MS = 1_000;
const LINE_FEED = 10;
/** How long an exit or a fatal line may wait for a full output. */
const MAX_BLOCKED_MS = 1_000;

export interface LogOutputOptions {
  /** The most UTF-16 units of lines that wait. */
  maxWaiting?: number;
  /** Called with the number of lines that are lost, whenever some are. */
  lost?: (lines: number) => void;
}

/**
 * The log's file descriptor. Lines of a few milliseconds share one write, made off the main thread, so that neither one
 * system call for each line nor a slow reader delays a payment. An output that fails, such as a file on a full disk, is
 * tried again every second. Meanwhile lines wait up to a bound, and the log says how many were lost beyond it. Only an output that
 * cannot come back (a closed pipe) is given up: the service runs on without a log. The exit waits for none of them.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  readonly #maxWaiting: number;
  readonly #tellLost: (lines: number) => void;
  #waiting: string[] = [];
  #waitingLength = 0;
  #dropped = 0;
  #broken = false;
  /** Why the last write failed. Undefined where it did not, and where its reader is only slow. */
  #failure: string | undefined;
  /** True from the first waiting line until the write that takes the last one has ended. */
  #busy = false;
  /** The rest of a write while the output is full. Empty while a write is running. */
  #rest: Buffer | undefined;
  #idle: (() => void)[] = [];

  constructor(fd: number, { maxWaiting = MAX_WAITING, lost = () => undefined }: LogOutputOptions = {}) {
    this.#fd = fd;
    this.#maxWaiting = maxWaiting;
    this.#tellLost = lost;
  }

  /** Takes one line, including its line break. */
  write(line: string): void {
    if (this.#broken || this.#waitingLength + line.length > this.#maxWaiting) {
      this.#drop(1);
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#busy) return;
    this.#busy = true;
    this.#gather();
  }

  /** Resolves when all lines so far are written or given up, after a second at the latest. */
  async flush(): Promise<void> {
    if (!this.#busy || this.#failure !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    const timer = setTimeout(resolve, MAX_BLOCKED_MS);
    await promise;
    clearTimeout(timer);
  }

  /** Writes all waiting lines before it returns, for a process that is about to end. A running write ends by itself. */
  flushSync(): void {
    const deadline = performance.now() + MAX_BLOCKED_MS;
    const parts = this.#rest ? [this.#rest] : [];
    this.#rest = undefined;
    let bytes = Buffer.concat([...parts, this.#take()]);
    while (bytes.length > 0 && !this.#broken) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes));
      } catch (error) {
        if (isResting(error) && performance.now() <= deadline) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
          continue;
        }
        this.#failed(error);
        this.#drop(linesIn(bytes));
        return;
      }
    }
  }

  /** Schedules a write, or writes at once if enough is waiting or somebody waits for it. */
  #gather(): void {
    const now = this.#waitingLength >= ENOUGH || this.#idle.length > 0;
    setTimeout(() => this.#next(), now ? 0 : GATHER_MS);
  }

  #next(): void {
    const bytes = this.#take();
    if (bytes.length > 0) {
      this.#send(bytes);
      return;
    }
    this.#busy = false;
    this.#endFlushes();
  }

  #endFlushes(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #send(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      if (!error) {
        if (this.#dropped === 0) this.#failure = undefined;
        if (written < bytes.length) this.#send(bytes.subarray(written));
        else if (this.#waiting.length > 0) this.#gather();
        else this.#next();
        return;
      }
      this.#failed(error);
      if (this.#broken) {
        this.#drop(linesIn(bytes));
        this.#next();
        return;
      }
      this.#rest = bytes;
      const retry = setTimeout(() => this.#resume(), isResting(error) ? RETRY_MS : RETRY_FAILED_MS);
      if (isResting(error)) return;
      // A process that ends does not wait for an output that fails.
      retry.unref();
      this.#endFlushes();
    });
  }

  #resume(): void {
    const bytes = this.#rest;
    this.#rest = undefined;
    if (bytes && !this.#broken) this.#send(bytes);
    else this.#next();
  }

  #take(): Buffer {
    const lines = this.#waiting;
    if (this.#dropped > 0 && !this.#broken) {
      lines.push(droppedLine(this.#dropped, this.#failure));
      this.#dropped = 0;
    }
    this.#waiting = [];
    this.#waitingLength = 0;
    return Buffer.from(lines.join(''));
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#tellLost(lines);
  }

  #failed(error: unknown): void {
    if (isResting(error)) return;
    this.#failure = codeOf(error) ?? 'unknown';
    if (this.#failure !== 'EPIPE' && this.#failure !== 'EBADF') return;
    this.#broken = true;
    this.#drop(this.#waiting.length);
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

/** The output is only full for the moment. */
function isResting(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EAGAIN' || code === 'EBUSY';
}

function codeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** How many lines end in these bytes. One whose beginning is written already counts as well. */
function linesIn(bytes: Buffer): number {
  return bytes.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
}

function droppedLine(count: number, failure: string | undefined): string {
  const fields = {
    level: 'warn',
    time: new Date().toISOString(),
    event: 'log.dropped',
    count,
    ...(failure !== undefined && { cause: failure }),
    msg: 'lines were dropped',
  };
  return `${JSON.stringify(fields)}\n`;
}
