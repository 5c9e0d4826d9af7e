/** The shortest card number. */
const MIN_CARD_DIGITS = 12;
/** What some write between the digits of a card number, and between the parts of a name. */
const BETWEEN_DIGITS = /[\s\-._/+\u2010-\u2015\u2212]+/g;
const BETWEEN_WORDS = /[\s\-._+]+/g;
/** URLs within URLs are encoded twice; nobody encodes more often. */
const MAX_DECODED = 3;
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}/g;
const BETWEEN_PARTS = /[/+_-]/;
/** Decoded bytes with any other character were no text. */
const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/;

/** Shorter values occur inside other words and numbers, so they count only as whole words. */
const LONG_ENOUGH = 8;

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u;

/** A secret to look for: as it is, and in encoded forms. */
interface Needle {
  readonly digits: string | undefined;
  readonly words: string;
  readonly spaced: boolean;
  /** Base64, base64url and hexadecimal of the whole value. */
  readonly encoded: readonly string[];
}

/**
 * Finds the payer's secrets in a gateway's answer: in any case of letters, with other characters between digits or
 * words, percent-encoded, in hexadecimal and in base64, alone or within other text. Takes time linear to the text.
 */
export class EchoFinder {
  /** Without blanks around them; none is empty. */
  readonly secrets: readonly string[];
  #needles: readonly Needle[] | undefined;

  /** `secrets`: card number, cvv, PIN, one-time code, names; blank ones are passed over. */
  constructor(secrets: readonly string[]) {
    this.secrets = secrets.map((secret) => secret.trim()).filter((secret) => secret !== '');
  }

  /** Whether a text contains any of them. */
  isIn(text: string): boolean {
    if (this.secrets.length === 0) return false;
    const views = viewsOf(text);
    return views.some((view) => this.#stands(view));
  }

  #stands(view: string): boolean {
    const folded = view.toLowerCase();
    let digits: string | undefined;
    let spaced: string | undefined;
    // Encoded once for all texts of an answer, and only where there is one.
    this.#needles ??= this.secrets.map(needle);
    return this.#needles.some((one) => {
      if (placeOf(one.words, folded) >= 0) return true;
      if (one.encoded.some((form) => placeOf(form, view) >= 0)) return true;
      // Taking signs out makes no text longer.
      if (folded.length < one.words.length) return false;
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

/** A text as it is, percent-decoded, and with the base64 in it decoded. */
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

/** Malformed escapes stay as they are. */
function percentDecoded(text: string): string {
  const bytes = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
  return bytes.replaceAll('+', ' ');
}

function base64In(view: string): string[] {
  const found: string[] = [];
  for (const run of view.match(BASE64_RUN) ?? []) {
    for (const part of partsOf(run)) {
      const decoded = Buffer.from(part, 'base64').toString('latin1');
      if (PRINTABLE.test(decoded)) found.push(decoded);
    }
  }
  return found;
}

/** A slash may belong to the base64, or separate it from the rest of an address. */
function partsOf(run: string): Iterable<string> {
  return BETWEEN_PARTS.test(run) ? new Set([run, run.replace(/^[/+_-]+/, ''), ...run.split('/')]) : [run];
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && LETTER_OR_DIGIT.test(sign);

/**
 * Whether a value counts anywhere in a text, and not only as a whole word. A card number does; a surname may be part of
 * another word.
 */
export function countsAnywhere(value: string): boolean {
  return value.length >= LONG_ENOUGH;
}

/**
 * The index of a value in a text, from `from` on; -1 if it is not there. A long value is found anywhere, a short one
 * only as a whole word, so that `Obi` is not found in `mobile` nor `111` in `1115543`. Both must be in the same case.
 */
export function placeOf(value: string, text: string, from = 0): number {
  const anywhere = countsAnywhere(value);
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    if (anywhere) return at;
    const joined =
      (isWordSign(value[0]) && isWordSign(text[at - 1])) ||
      (isWordSign(value.at(-1)) && isWordSign(text[at + value.length]));
    if (!joined) return at;
  }
  return -1;
}
