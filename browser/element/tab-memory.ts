/**
 * The payment that this tab has begun and not yet seen the end of. A payer who comes back from their wallet, or loads the page
 * again, is told how it went, also when it has failed meanwhile. Holds a payment's id and nothing else.
 */
export class TabMemory {
  readonly #name: string;

  /** `scope`: what tells this session from others. */
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

  /** Some browsers keep pages from their storage: then nothing is remembered. */
  #use<T>(work: (storage: Storage) => T): T | undefined {
    try {
      return work(sessionStorage);
    } catch {
      return undefined;
    }
  }
}
