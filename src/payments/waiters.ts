import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';
import type { Payment } from './core/payment.js';

/** How often the store is looked at for changes that another replica made. */
const LOOK_MS = 1_500;

/** Holds calls that wait for a payment to change. */
@Injectable()
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly store: Store) {
    store.onCommitted(({ payments }) => {
      for (const { id } of payments) for (const wake of this.waiting.get(id) ?? []) wake();
    });
  }

  /** The payment as soon as its status or next action differs, or after so many seconds. */
  async changed(payment: Payment, seconds: number, gone: AbortSignal): Promise<Payment> {
    const seen = stateOf(payment);
    const until = performance.now() + seconds * 1_000;
    for (let now = payment; ;) {
      const left = until - performance.now();
      if (stateOf(now) !== seen || left <= 0 || gone.aborted) return now;
      await this.wake(payment.id, Math.min(left, LOOK_MS), gone);
      const { payments } = await this.store.read(payment.reference);
      now = payments.find(({ id }) => id === payment.id) ?? now;
    }
  }

  private async wake(id: string, ms: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting.add(resolve));
    const timer = setTimeout(resolve, ms);
    gone.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
    if (waiting.size === 0) this.waiting.delete(id);
  }
}

function stateOf({ status, nextAction }: Payment): string {
  return `${status} ${JSON.stringify(nextAction)}`;
}
