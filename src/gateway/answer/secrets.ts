import type { PaymentFacts } from '../payment-facts.js';

/** Digits of a card: 12 to 19, in groups or not. */
const CARD_DIGITS = /(?<![0-9])[0-9](?:[ .-]?[0-9]){11,18}(?![0-9])/g;

/** A code of an earlier call that a later answer repeats, or a card's number that was cut off. The last four of a phone may stay. */
const LONG_NUMBER = /(?<![0-9])[0-9]{6,}/g;

/** Keeps what the payer sent as a secret, any card's digits, the payer's own data and the way back out of what an answer gives. */
export class SentSecrets {
  readonly #texts: readonly string[];
  readonly #personal: readonly string[];

  constructor({ card, otp, pin, payer, billing, returnUrl }: PaymentFacts) {
    const sent = [card?.number, card?.cvv, card?.pin, card?.nameOnCard, otp, pin];
    this.#texts = sent.flatMap((secret) => secret?.unwrap() || []);
    const { country: _public, ...address } = billing ?? {};
    const token = returnUrl?.split('/').at(-1);
    this.#personal = [...Object.values(payer ?? {}), ...Object.values(address), token ?? ''];
  }

  /** A text for people without them. */
  scrub(text: string): string {
    let clean = text;
    for (const secret of [...this.#texts, ...this.#personal])
      if (secret.length > 2) clean = clean.replace(wholeWord(secret), '•••');
    return clean.replace(CARD_DIGITS, '•••').replace(LONG_NUMBER, '•••');
  }

  /** Whether a text, which would be stored as it is, has a card's number in it. */
  isIn(text: string): boolean {
    const [number] = this.#texts;
    return number !== undefined && number.length >= 12 && text.replace(/[ .-]/g, '').includes(number);
  }
}

function wholeWord(secret: string): RegExp {
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}
