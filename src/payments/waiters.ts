import { Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';
import type { OrderState } from './core/payment.js';
import { nextActionOf } from './core/view.js';

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

  /** Resolves as soon as the payment's status or next action, as it is shown, differs, or after so many seconds. */
  async changed(order: OrderState, id: string, seconds: number, gone: AbortSignal): Promise<void> {
    const seen = shownOf(order, id);
    const until = performance.now() + seconds * 1_000;
    for (let now = order; shownOf(now, id) === seen; now = await this.store.read(order.reference)) {
      const left = until - performance.now();
      if (left <= 0 || gone.aborted) return;
      await this.wake(id, Math.min(left, LOOK_MS), gone);
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

function shownOf(order: OrderState, id: string): string | undefined {
  const payment = order.payments.find((one) => one.id === id);
  return payment && `${payment.status} ${JSON.stringify(nextActionOf(order, payment))}`;
}
