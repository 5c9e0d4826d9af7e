/** What a payer typed into the form, by the names of the fields. */
export type Typed = Record<string, string>;

/**
 * What this tab knows of its session's payments: the one that it started and whose result it has not shown yet, and for which
 * the payer left for another page. A payer who comes back from their bank, or reloads the page, sees the result, and finds
 * their name and address as they typed them.
 */
export class TabMemory {
  readonly #scope: string;
  /** In place of the storage, where the browser denies it to pages. */
  readonly #own = new Map<string, string>();

  /** `scope`: distinguishes this session from others. */
  constructor(scope: string) {
    this.#scope = `tillfront:${scope}`;
  }

  recall(): string | undefined {
    return this.#read('unfinished') || undefined;
  }

  remember(paymentId: string): void {
    this.#write('unfinished', paymentId);
  }

  forget(): void {
    this.#write('unfinished', '');
  }

  /** The payer left for their bank's or wallet's page. */
  noteLeft(paymentId: string): void {
    if (!this.hasLeft(paymentId)) this.#write('left', `${this.#read('left') ?? ''} ${paymentId}`.trim());
  }

  hasLeft(paymentId: string): boolean {
    return this.#read('left')?.split(' ').includes(paymentId) === true;
  }

  recallForm(): Typed {
    try {
      return JSON.parse(this.#read('form') || '{}') as Typed;
    } catch {
      return {};
    }
  }

  keepForm(typed: Typed): void {
    // Nothing of a card is stored anywhere.
    const kept = Object.entries(typed).filter(([name, value]) => !name.startsWith('card.') && value !== '');
    this.#write('form', JSON.stringify(Object.fromEntries(kept)));
  }

  forgetForm(): void {
    this.#write('form', '');
  }

  #read(name: string): string | undefined {
    const key = `${this.#scope}:${name}`;
    try {
      return sessionStorage.getItem(key) ?? this.#own.get(key);
    } catch {
      return this.#own.get(key);
    }
  }

  /** An empty text is forgotten. */
  #write(name: string, text: string): void {
    const key = `${this.#scope}:${name}`;
    try {
      if (text === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, text);
      this.#own.delete(key);
    } catch {
      this.#own.set(key, text);
    }
  }
}
