import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Problem } from '../../http/problems/problem.js';
import { Store } from '../../store/store.js';
import { StoreUnavailable } from '../../store/store-unavailable.js';
import type { Decide, Wanted } from '../../store/payment-writer.js';

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
