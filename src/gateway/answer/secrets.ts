import type { PaymentFacts } from '../payment-facts.js';

/** Digits of a card: 12 to 19, in groups or not. */
const CARD_DIGITS = /(?<![0-9])[0-9](?:[ .-]?[0-9]){11,18}(?![0-9])/g;

/** Keeps what the payer sent as a secret, and any card's digits, out of what an answer gives. */
export class SentSecrets {
  readonly #texts: readonly string[];

  constructor({ card, otp, pin }: PaymentFacts) {
    const sent = [card?.number, card?.cvv, card?.pin, card?.nameOnCard, otp, pin];
    this.#texts = sent.flatMap((secret) => secret?.unwrap() || []);
  }

  /** A text for people without them. */
  scrub(text: string): string {
    let clean = text.replace(CARD_DIGITS, '•••');
    for (const secret of this.#texts) if (secret.length > 2) clean = clean.replace(wholeWord(secret), '•••');
    return clean;
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
