import type { Scope } from '../request/words.js';

/** Digits of a card: 12 to 19, in groups or not. */
const CARD_DIGITS = /(?<![0-9])[0-9](?:[ .-]?[0-9]){11,18}(?![0-9])/g;

/** A code of an earlier call that a later answer repeats, or a card's number that was cut off. The last four of a phone may stay. */
const LONG_NUMBER = /(?<![0-9])[0-9]{6,}/g;

/** No code is longer. */
const MAX_CODE = 100;
/** A credential that is shorter may be in a text by chance. */
const MIN_CREDENTIAL = 8;

/** Keeps credentials, what the payer sent as a secret, any card's digits, the payer's own data and the way back out of what an answer gives. */
export class SentSecrets {
  readonly #texts: readonly string[];
  readonly #credentials: readonly string[];
  readonly #personal: readonly string[];

  constructor({ facts, apiKey = '', accessToken = '', token: bearer = '' }: Scope) {
    const { card, otp, pin, payer, billing, returnUrl } = facts;
    this.#credentials = [apiKey, accessToken, bearer];
    const sent = [card?.number, card?.cvv, card?.pin, card?.nameOnCard, otp, pin];
    this.#texts = sent.flatMap((secret) => secret?.unwrap() || []);
    const { country: _public, ...address } = billing ?? {};
    const token = returnUrl?.split('/').at(-1);
    this.#personal = [...Object.values(payer ?? {}), ...Object.values(address), token ?? ''];
  }

  /** A text for people without them. */
  scrub(text: string): string {
    let clean = text;
    for (const secret of [...this.#credentials, ...this.#texts, ...this.#personal])
      if (secret.length > 2) clean = clean.replace(wholeWord(secret), '•••');
    return clean.replace(CARD_DIGITS, '•••').replace(LONG_NUMBER, '•••');
  }

  /** The gateway's code without them. */
  codeOf(code: string | undefined): string | null {
    return code === undefined ? null : this.scrub(code).slice(0, MAX_CODE);
  }

  /** Whether a text, which would be stored as it is, is a secret or has a card's number or a credential in it. */
  isIn(text: string): boolean {
    const holds = (one: string): boolean => one.length >= MIN_CREDENTIAL && text.includes(one);
    if (this.#texts.includes(text) || this.#credentials.some(holds)) return true;
    const [number] = this.#texts;
    return number !== undefined && number.length >= 12 && text.replace(/[ .-]/g, '').includes(number);
  }
}

function wholeWord(secret: string): RegExp {
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}
