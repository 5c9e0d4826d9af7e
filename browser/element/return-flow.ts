import type { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { Payment } from '../kit/types.js';
import type { View } from './flow.js';

/** What a link back tells its page. */
export interface ReturnEvents {
  /** A new view; `payment` as last read. */
  show: (view: View, payment: Payment | undefined) => void;
  /** The payment has an outcome. */
  result: (payment: Payment) => void;
}

/** Shows whoever holds a payer's link back from the bank how that one payment ended, and offers nothing to do. */
export class ReturnFlow {
  readonly #reader: PaymentReader;
  readonly #events: ReturnEvents;
  readonly #stop = new AbortController();
  #known: Payment | undefined;

  /** `known`: the payment, where it has just been read. */
  constructor(reader: PaymentReader, events: ReturnEvents, known?: Payment) {
    this.#reader = reader;
    this.#events = events;
    this.#known = known;
  }

  /** Shows where the payment stands, and waits for its end. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    try {
      let payment = this.#known ?? (await this.#reader.payment());
      while (!signal.aborted) {
        this.#known = payment;
        if (payment.status !== 'processing' && payment.status !== 'requires_action') {
          this.#events.show({ kind: 'outcome', payment }, payment);
          this.#events.result(payment);
          return;
        }
        this.#events.show({ kind: 'confirming' }, payment);
        payment = await this.#reader.waitFor(payment, { signal });
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Looks again when the payer comes back to this page: what waits does so by itself. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  stop(): void {
    this.#stop.abort();
  }

  #fail(error: unknown): void {
    const isOver = error instanceof TillfrontError && error.status === 401;
    // Its time is over while the outcome is awaited: what is shown is still true, and no reason to pay again.
    if (isOver && this.#known !== undefined) return;
    this.#events.show(
      { kind: 'unavailable', reason: isRefused(error) ? 'returned' : 'connection' },
      this.#known,
    );
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof TillfrontError && [401, 403, 404].includes(error.status);
}
