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
/** How long to wait before writing again to an output that is full. */
const RETRY_MS = 10;
/** How long an exit or a fatal line may wait for a full output. */
const MAX_BLOCKED_MS = 1_000;

/**
 * The log's file descriptor. Lines of a few milliseconds share one write, made off the main thread, so that neither one
 * system call for each line nor a slow reader delays a payment. If the output is gone (a closed pipe, a full disk), it is
 * given up: the service runs on without a log, and its exit does not wait for it.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  readonly #maxWaiting: number;
  #waiting: string[] = [];
  #waitingLength = 0;
  #dropped = 0;
  #broken = false;
  /** True from the first waiting line until the write that takes the last one has ended. */
  #busy = false;
  /** The rest of a write while the output is full. Empty while a write is running. */
  #rest: Buffer | undefined;
  #idle: (() => void)[] = [];

  constructor(fd: number, maxWaiting = MAX_WAITING) {
    this.#fd = fd;
    this.#maxWaiting = maxWaiting;
  }

  /** Takes one line, including its line break. */
  write(line: string): void {
    if (this.#broken) return;
    if (this.#waitingLength + line.length > this.#maxWaiting) {
      this.#dropped++;
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
    if (!this.#busy) return;
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
        if (!isResting(error) || performance.now() > deadline) this.#giveUp();
        else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
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
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #send(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      if (!error) {
        if (written < bytes.length) this.#send(bytes.subarray(written));
        else if (this.#waiting.length > 0) this.#gather();
        else this.#next();
      } else if (isResting(error)) {
        this.#rest = bytes;
        setTimeout(() => this.#resume(), RETRY_MS);
      } else {
        this.#giveUp();
        this.#next();
      }
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
    if (this.#dropped > 0 && !this.#broken) lines.push(droppedLine(this.#dropped));
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#dropped = 0;
    return Buffer.from(lines.join(''));
  }

  #giveUp(): void {
    this.#broken = true;
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

/** The output is only full for the moment. */
function isResting(error: unknown): boolean {
  return isError(error) && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

function droppedLine(count: number): string {
  const fields = {
    level: 'warn',
    time: new Date().toISOString(),
    event: 'log.dropped',
    count,
    msg: 'lines were dropped',
  };
  return `${JSON.stringify(fields)}\n`;
}
