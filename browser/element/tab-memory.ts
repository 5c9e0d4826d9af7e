/**
 * The payment that this tab started and whose result it has not shown yet. A payer who comes back from their wallet, or
 * reloads the page, sees the result, even if the payment has failed meanwhile. It stores a payment's id and nothing else.
 */
export class TabMemory {
  readonly #name: string;

  /** `scope`: distinguishes this session from others. */
  constructor(scope: string) {
    this.#name = `tillfront:${scope}:unfinished`;
  }

  recall(): string | undefined {
    return this.#use((storage) => storage.getItem(this.#name) ?? undefined);
  }

  remember(paymentId: string): void {
    this.#use((storage) => storage.setItem(this.#name, paymentId));
  }

  forget(): void {
    this.#use((storage) => storage.removeItem(this.#name));
  }

  /** Some browsers deny pages access to storage. Then nothing is remembered. */
  #use<T>(work: (storage: Storage) => T): T | undefined {
    try {
      return work(sessionStorage);
    } catch {
      return undefined;
    }
  }
}
