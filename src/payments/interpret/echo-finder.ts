import { placeOf } from './whole-words.js';

/** The shortest card number. */
const MIN_CARD_DIGITS = 12;
/** What some write between the digits of a card number, and between the parts of a name. */
const BETWEEN_DIGITS = /[\s\-._/+\u2010-\u2015\u2212]+/g;
const BETWEEN_WORDS = /[\s\-._+]+/g;
/** URLs within URLs are encoded twice; nobody encodes more often. */
const MAX_DECODED = 3;
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}/g;
/** What decodes to anything else was no text. */
const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/;

/** A secret that is looked for: as it is, and in the forms that replace all of it. */
interface Needle {
  readonly digits: string | undefined;
  readonly words: string;
  readonly spaced: boolean;
  /** Base64, base64url and hexadecimal of the whole value. */
  readonly encoded: readonly string[];
}

/**
 * Finds again what the payer sent in confidence, in what a gateway answers: whatever the case, with other signs between digits or
 * words, percent-encoded, and in base64, alone or within something else. The time is that of the text's length.
 */
export class EchoFinder {
  readonly #needles: readonly Needle[];

  /** `secrets`: card number, cvv, PIN, one-time code, names; blank ones are passed over. */
  constructor(secrets: readonly string[]) {
    this.#needles = secrets.filter((secret) => secret.trim() !== '').map((secret) => needle(secret.trim()));
  }

  /** Whether a text has any of them. */
  isIn(text: string): boolean {
    if (this.#needles.length === 0) return false;
    const views = viewsOf(text);
    return views.some((view) => this.#stands(view));
  }

  #stands(view: string): boolean {
    const folded = view.toLowerCase();
    let digits: string | undefined;
    let spaced: string | undefined;
    return this.#needles.some((one) => {
      if (placeOf(one.words, folded) >= 0) return true;
      if (one.encoded.some((form) => placeOf(form, view) >= 0)) return true;
      if (one.digits !== undefined && (digits ??= folded.replace(BETWEEN_DIGITS, '')).includes(one.digits))
        return true;
      return one.spaced && placeOf(one.words, (spaced ??= folded.replace(BETWEEN_WORDS, ' '))) >= 0;
    });
  }
}

function needle(secret: string): Needle {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64url');
  const words = secret.toLowerCase().replace(/\s+/g, ' ');
  return {
    digits: secret.length >= MIN_CARD_DIGITS && /^[0-9]+$/.test(secret) ? secret : undefined,
    words,
    spaced: words.includes(' '),
    encoded: [base64, bytes.toString('base64').replaceAll('=', ''), hex, hex.toUpperCase()],
  };
}

/** A text as it is, percent-decoded, and what is in base64 in it. */
function viewsOf(text: string): string[] {
  const views = [text];
  for (let count = 0, last = text; count < MAX_DECODED && last.includes('%'); count++) {
    const decoded = percentDecoded(last);
    if (decoded === last) break;
    views.push(decoded);
    last = decoded;
  }
  return [...views, ...views.flatMap(base64In)];
}

/** What is no encoding stays as it is. */
function percentDecoded(text: string): string {
  const bytes = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
  return bytes.replaceAll('+', ' ');
}

function base64In(view: string): string[] {
  const found: string[] = [];
  for (const [run] of view.matchAll(BASE64_RUN)) {
    // A slash may be the encoding's own, or stand before it or between the parts of an address.
    for (const part of new Set([run, run.replace(/^[/+_-]+/, ''), ...run.split('/')])) {
      const decoded = Buffer.from(part, 'base64').toString('latin1');
      if (PRINTABLE.test(decoded)) found.push(decoded);
    }
  }
  return found;
}
