import type { Payment } from './api.js';
import { Connection, type Answer } from './connection.js';
import { keepTrying } from './keep-trying.js';
import type { TillfrontOptions, WaitOptions } from './types.js';
import { waitForNews } from './wait-for-news.js';

const PATIENCE_MS = 20_000;

/** Reads the one payment that a payer's link back from the bank refers to. */
export class PaymentReader {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #onRetry: TillfrontOptions['onRetry'];

  /** Undefined where the text cannot be a return token (`crt_<payment id>.<end>.<mac>`). */
  static of(
    options: Omit<TillfrontOptions, 'clientToken'> & { returnToken: string },
  ): PaymentReader | undefined {
    const id = /^crt_([A-Za-z0-9_]+)\.\d+\.[A-Za-z0-9_-]+$/.exec(options.returnToken)?.[1];
    return id === undefined ? undefined : new PaymentReader(options, id);
  }

  private constructor(
    { baseUrl, returnToken, onRetry }: Omit<TillfrontOptions, 'clientToken'> & { returnToken: string },
    paymentId: string,
  ) {
    this.#connection = new Connection(baseUrl, returnToken);
    this.#path = `/v1/payments/${paymentId}`;
    this.#onRetry = onRetry;
  }

  /** The current payment. Rejects with `TillfrontError`, `unauthorized` where the token has expired. */
  async payment(): Promise<Payment> {
    const attempt = async (): Promise<Payment> => (await this.#ask('')).body;
    return keepTrying(attempt, { giveUpAfterMs: PATIENCE_MS, onRetry: this.#onRetry });
  }

  /** Waits until the payment changes. */
  waitFor(payment: Payment, options: WaitOptions): Promise<Payment> {
    return waitForNews((query, signal) => this.#ask(query, signal), payment, options, this.#onRetry);
  }

  #ask(query: string, signal?: AbortSignal): Promise<Answer<Payment>> {
    return this.#connection.send<Payment>(this.#path + query, { signal });
  }
}
