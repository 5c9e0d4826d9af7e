import { setImmediate } from 'node:timers/promises';
import { StoreUnavailable } from './store-unavailable.js';

/** For how long a confirmed commit shows that the next one would be confirmed too. */
const PROOF_LASTS_MS = 2_000;
/** A write is tried no more often, however often readiness is asked. */
const TRY_EVERY_MS = 1_000;
/** A store that takes longer for one small write is not ready. Together with the proof's time less than 5 s. */
const TRY_TIMEOUT_MS = 2_500;

interface Trial {
  readonly at: number;
  /** How many commits had failed when it began. */
  readonly failures: number;
  /** Why nothing can be written. Undefined where the write was confirmed. */
  readonly reason: Promise<string | undefined>;
}

/**
 * Whether the store confirms writes now. A commit of the service's own shows that it does; where none was confirmed for a while, or one has
 * failed, a small write is tried.
 */
export class WriteProof {
  private confirmedAt = -Infinity;
  private failures = 0;
  /** Why the last one failed. */
  private failure: string | undefined;
  /** How many failures a write that was confirmed since has made up for. */
  private madeGood = 0;
  private trial: Trial | undefined;
  private running = false;

  /** @param tryWrite rejects where it was not confirmed. `asMuch`: as much as a payment writes, and not only a little */
  constructor(
    private readonly tryWrite: (asMuch: boolean) => Promise<void>,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Payments or sessions were committed. */
  readonly confirmed = (): void => {
    this.confirmedAt = this.monotonic();
  };

  /** A commit has failed because of the store. */
  readonly failed = (reason: string): void => {
    this.failures += 1;
    this.failure = reason;
  };

  /** Why nothing can be written now. Undefined where something can. Rejects never. */
  async reason(): Promise<string | undefined> {
    const now = this.monotonic();
    const { trial } = this;
    if (trial && (this.running || now - trial.at < TRY_EVERY_MS)) {
      const reason = await trial.reason;
      // What was confirmed before a commit failed says nothing about the next one.
      return reason ?? (this.failures > trial.failures ? this.failure : undefined);
    }
    if (this.failures === this.madeGood && now - this.confirmedAt < PROOF_LASTS_MS) return undefined;
    this.running = true;
    const trying = this.try().finally(() => {
      this.running = false;
    });
    this.trial = { at: now, failures: this.failures, reason: withinTime(trying) };
    return this.trial.reason;
  }

  private async try(): Promise<string | undefined> {
    const { failures } = this;
    try {
      await this.tryWrite(failures > this.madeGood);
    } catch (error) {
      this.failures += 1;
      return error instanceof StoreUnavailable ? error.reason : 'a small write has failed';
    }
    this.madeGood = failures;
    this.confirmed();
    return undefined;
  }
}

async function withinTime(trying: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      // This process itself may have stood still, and the answer has been here for long.
      void setImmediate(`a small write is not confirmed within ${TRY_TIMEOUT_MS / 1000} s`).then(resolve);
    }, TRY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([trying, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
