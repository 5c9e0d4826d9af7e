import type { PaymentReader } from '../kit/payment-reader.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { Payment } from '../kit/types.js';
import type { View } from './view.js';
import { hasOtherAmount } from './outcome.js';

/** What a link back reports to its page. */
export interface ReturnEvents {
  /** A new view. `payment` is the last one that was read. */
  show: (view: View, payment: Payment | undefined) => void;
  /** The payment has a result. */
  result: (payment: Payment) => void;
}

/** Shows the result of one payment to whoever holds the payer's link back from the bank. It offers no actions. */
export class ReturnFlow {
  readonly #reader: PaymentReader;
  readonly #events: ReturnEvents;
  readonly #stop = new AbortController();
  #known: Payment | undefined;

  /** `known`: the payment, if it has just been read. */
  constructor(reader: PaymentReader, events: ReturnEvents, known?: Payment) {
    this.#reader = reader;
    this.#events = events;
    this.#known = known;
  }

  /** Shows the payment's current state and waits for its result. */
  async start(): Promise<void> {
    const { signal } = this.#stop;
    try {
      let payment = this.#known ?? (await this.#reader.payment());
      while (!signal.aborted) {
        this.#known = payment;
        const isLive = payment.status === 'processing' || payment.status === 'requires_action';
        if (isLive) this.#events.show(waitingView(payment), payment);
        else {
          this.#events.show({ kind: 'outcome', payment }, payment);
          this.#events.result(payment);
        }
        if (payment.status === 'succeeded') return;
        // money may still come, whatever is shown
        payment = await this.#reader.waitFor(payment, { signal, late: true });
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Reads again when the payer returns to this page. Waiting views do that by themselves. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  stop(): void {
    this.#stop.abort();
  }

  #fail(error: unknown): void {
    const isOver = error instanceof TillfrontError && error.status === 401;
    // The token expired while the result was awaited. What is shown is still correct, and no reason to pay again.
    if (isOver && this.#known !== undefined) return;
    this.#events.show(
      { kind: 'unavailable', reason: isRefused(error) ? 'returned' : 'connection' },
      this.#known,
    );
  }
}

/** What is asked of the payer is not told to whoever holds the link, only that something may be. */
function waitingView(payment: Payment): View {
  return hasOtherAmount(payment)
    ? { kind: 'partial', payment }
    : { kind: 'confirming', elsewhere: payment.status === 'requires_action' };
}

function isRefused(error: unknown): boolean {
  return error instanceof TillfrontError && [401, 403, 404].includes(error.status);
}
