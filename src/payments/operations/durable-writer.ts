import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Inject } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Decide, Wanted } from '../../store/payment-writer.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { PaymentRecord } from '../../store/schema.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/** Pauses between the tries, in milliseconds. After the last one the outcome is left to status checks. */
const TRY_AGAIN_AFTER_MS = [100, 400, 1_500];

/**
 * Writes the gateway's answer, and tries again if the store is unavailable for a moment. If it stays unavailable,
 * nothing is lost either: the intent is stored, and the gateway is asked again as soon as the store is back.
 */
@Injectable()
export class DurableWriter {
  constructor(private readonly store: Store) {}

  /** Throws `store-unavailable`, with the payment's id, if the store stays unavailable. */
  async write<T>(wanted: Wanted, paymentId: string, decide: Decide<T>): Promise<T> {
    for (const pause of TRY_AGAIN_AFTER_MS) {
      try {
        return await this.store.writer.write(wanted, decide);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await sleep(pause);
      }
    }
    try {
      return await this.store.writer.write(wanted, decide);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new Problem(
        'store-unavailable',
        'The payment was sent, but its outcome could not be stored yet. Ask again with the same Idempotency-Key.',
        { paymentId },
      );
    }
  }
}

/**
 * The result of an operation whose intent was never confirmed. Only this process could have sent it, and it has not.
 */
export const NEVER_SENT: GatewayResult = { kind: 'not-sent', reason: 'abandoned' };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** By then status checks have found that the gateway never received it. */
const GIVE_UP_AFTER_MS = 3_600_000;

type About = Pick<PaymentRecord, 'id' | 'reference' | 'sessionId'>;

/**
 * A commit whose answer was lost may have left an intent in the store. Only this process could send it, and it never
 * will. So it closes the intent as soon as the store is back; otherwise the payer would wait until the gateway has
 * denied it for long enough. That is still what happens if this process ends first.
 */
@Injectable()
export class UnsentIntents {
  private stopped = false;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleDestroy(): void {
    this.stop();
  }

  stop(): void {
    this.stopped = true;
  }

  /**
   * Writes the changes of `decide`, if the intent is in the store. Never throws; resolves when that is done.
   *
   * Whether the intent is there is certain: this write writes the reference, so a lost commit that is still under way has
   * either come before it or comes to nothing.
   */
  async abandon({ id: paymentId, reference, sessionId }: About, decide: Decide<unknown>): Promise<void> {
    const givenUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let pause = FIRST_PAUSE_MS; performance.now() < givenUpAt; pause = longer(pause)) {
      await sleep(pause, undefined, { ref: false });
      if (this.stopped) return;
      try {
        const written = await this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => {
          if (!snapshot.payment) return { changes: { reference: snapshot.reference }, result: false };
          return { changes: decide(snapshot).changes, result: true };
        });
        if (written) this.logger.info({ event: 'payment.intent_abandoned', paymentId });
        return;
      } catch (error) {
        if (error instanceof StoreUnavailable) continue;
        logFailure(this.logger, { event: 'payment.abandoning_failed', paymentId }, error);
        return;
      }
    }
  }
}

function longer(pause: number): number {
  return Math.min(pause * 2, LONGEST_PAUSE_MS);
}
