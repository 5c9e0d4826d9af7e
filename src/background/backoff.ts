import { logFailure } from '../telemetry/failure-log.js';
import type { LogFields, Logger } from '../telemetry/logger.js';

const SHORTEST_MS = 500;
/** Soon enough for who waits for a store that is back. */
const LONGEST_MS = 5_000;

/**
 * How long background work waits after a failure: twice as long after each one in a row, up to five seconds, so that a store or a
 * gateway that is away is not asked as often as one that works. A random part keeps replicas from coming back together.
 */
export class Backoff {
  #failures = 0;
  #until = -Infinity;

  /** @param work what the log calls a failure of this work */
  constructor(
    private readonly logger: Logger,
    private readonly work: { event: string },
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Logs the failure, as {@link logFailure} does, and returns after how many milliseconds to try again. Failures during a wait
   * belong to the same try.
   *
   * @param about what else the line says; an `event` here is used instead of the work's own
   */
  failed(error: unknown, about: Partial<LogFields> = {}): number {
    logFailure(this.logger, { ...this.work, ...about }, error);
    if (this.rest > 0) return this.rest;
    const longest = Math.min(SHORTEST_MS * 2 ** this.#failures, LONGEST_MS);
    this.#failures += 1;
    this.#until = performance.now() + longest * (0.5 + this.random() / 2);
    return this.rest;
  }

  /** It works again: the next failure is the first one. */
  worked(): void {
    this.#failures = 0;
    this.#until = -Infinity;
  }

  /** For how many milliseconds the work should still wait, 0 where it need not. */
  get rest(): number {
    return Math.max(0, Math.ceil(this.#until - performance.now()));
  }
}
