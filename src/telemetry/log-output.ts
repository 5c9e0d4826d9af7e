import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { isError } from './error-fields.js';

/** Lines that wait for a slow reader, in UTF-16 units. Beyond it lines are dropped and counted: a log must not fill the memory. */
const MAX_WAITING = 16 * 1024 * 1024;
/**
 * Lines of so many milliseconds share one write: handing one to another thread costs 10 µs, and a turn of the event loop often has
 * one line only.
 */
const GATHER_MS = 10;
/** So much is written without gathering more. */
const ENOUGH = 64 * 1024;
/** How long to leave an output alone that cannot take more just now. */
const RETRY_MS = 10;
/** How long an exit or a fatal line may wait for an output that cannot take more. */
const MAX_BLOCKED_MS = 1_000;

/**
 * The log's file descriptor. Lines of a few milliseconds share one write, made off the main thread, so that neither a
 * system call a line nor a slow reader delays a payment. An output that is gone (a closed pipe, a full disk) is given up: the
 * service goes on without a log, and its exit does not hang on it.
 */
export class LogOutput implements DestinationStream {
  readonly #fd: number;
  readonly #maxWaiting: number;
  #waiting: string[] = [];
  #waitingLength = 0;
  #dropped = 0;
  #broken = false;
  /** Between the first waiting line and the end of the write that takes the last one. */
  #busy = false;
  /** What is left of a write while the output rests; nothing while a write is under way. */
  #rest: Buffer | undefined;
  #idle: (() => void)[] = [];

  constructor(fd: number, maxWaiting = MAX_WAITING) {
    this.#fd = fd;
    this.#maxWaiting = maxWaiting;
  }

  /** Takes one line, with its line break. */
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

  /** Resolves when every line so far is written or given up, at the latest after a second. */
  async flush(): Promise<void> {
    if (!this.#busy) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    const timer = setTimeout(resolve, MAX_BLOCKED_MS);
    await promise;
    clearTimeout(timer);
  }

  /** Writes every waiting line before it returns, for a process that is about to end. A write that is under way ends by itself. */
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

  /** Writes a little later, or at once where enough waits already or somebody waits for it. */
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

/** An output that is merely full for the moment. */
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
