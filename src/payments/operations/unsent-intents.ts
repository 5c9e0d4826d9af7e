import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Decide } from '../../store/payment-writer.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/** What became of an operation whose intent nobody confirmed: this process alone might have sent it, and has not. */
export const NEVER_SENT: GatewayResult = { kind: 'not-sent', reason: 'abandoned' };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** By then reconciliation has found out by itself that the gateway never had it. */
const GIVE_UP_AFTER_MS = 3_600_000;

type About = Pick<PaymentRecord, 'id' | 'reference' | 'sessionId'>;

/**
 * A commit whose answer was lost may have left an intent in the store. Nothing is sent for it, and nobody but its owner
 * ever sends it, so the owner says so as soon as the store is back: nobody has to wait until the gateway has denied it
 * for long enough. If this process ends first, that is how it is found out all the same.
 */
@Injectable()
export class UnsentIntents implements BeforeApplicationShutdown {
  private stopped = false;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopped = true;
  }

  /**
   * Writes what `decide` makes of the intent, if it is there at all. Never throws; resolves when that is done.
   *
   * It can be told for sure whether it is there: what the lost commit would have written is behind the lock of its
   * reference, which this write waits for.
   */
  async abandon({ id: paymentId, reference, sessionId }: About, decide: Decide<unknown>): Promise<void> {
    const givenUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let pause = FIRST_PAUSE_MS; performance.now() < givenUpAt; pause = longer(pause)) {
      await sleep(pause, undefined, { ref: false });
      if (this.stopped) return;
      try {
        const written = await this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => {
          if (!snapshot.payment) return { changes: {}, result: false };
          return { changes: decide(snapshot).changes, result: true };
        });
        if (written) this.logger.info({ event: 'payment.intent_abandoned', paymentId });
        return;
      } catch (error) {
        if (error instanceof StoreUnavailable) continue;
        this.logger.warn({ event: 'payment.abandoning_failed', paymentId, reason: (error as Error).name });
        return;
      }
    }
  }
}

function longer(pause: number): number {
  return Math.min(pause * 2, LONGEST_PAUSE_MS);
}
