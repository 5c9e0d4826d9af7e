import type { PayersPart } from './outcome.js';

/** What a payer can do for a payment outside of this page. */
export type Deed = 'sent' | 'left';

/** What a payer typed into the form, by the names of the fields: `method`, `payer.email`, `billing.city`. Never of a card. */
export type TypedForm = Readonly<Record<string, string>>;

/** Keeps what was typed while the payer is at their bank's page, or reloads this one. */
export interface FormMemory {
  recallForm(): TypedForm;
  keepForm(form: TypedForm): void;
  forgetForm(): void;
}

/**
 * What this tab knows of its session's payments: the one that it started and whose result it has not shown yet, and what
 * the payer has done for each of them elsewhere. A payer who comes back from their wallet, or reloads the page, sees the
 * result, even if the payment has failed meanwhile, and finds their name and address as they typed them. It stores
 * payments' ids, and these until the order is paid.
 */
export class TabMemory implements FormMemory {
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

  /** The payer said that they had sent the money, or left for their bank's page. */
  note(deed: Deed, paymentId: string): void {
    if (!this.#has(deed, paymentId)) this.#write(deed, `${this.#read(deed) ?? ''} ${paymentId}`.trim());
  }

  partOf(paymentId: string): PayersPart {
    return { hasSent: this.#has('sent', paymentId), hasLeft: this.#has('left', paymentId) };
  }

  recallForm(): TypedForm {
    try {
      return JSON.parse(this.#read('form') || '{}') as TypedForm;
    } catch {
      return {};
    }
  }

  keepForm(form: TypedForm): void {
    this.#write('form', JSON.stringify(form));
  }

  forgetForm(): void {
    this.#write('form', '');
  }

  #has(deed: Deed, paymentId: string): boolean {
    return this.#read(deed)?.split(' ').includes(paymentId) === true;
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
