import type { GatewayAnswer } from '../../gateway/gateway-result.js';

/** What a payer sent to the gateway with one call. It is removed from the gateway's answer. */
export interface Sent {
  /** Removed from messages that a payer reads. */
  readonly words: readonly string[];
  /**
   * Card number, cvv, PIN, one-time code, the name on the card, and an e-mail address or telephone number that came
   * with this call only. Any field that repeats one is not stored or passed on.
   */
  readonly secrets: readonly string[];
}

/** For a call that carries nothing of the payer. */
export const NOTHING_SENT: Sent = { words: [], secrets: [] };

/**
 * Replaces a reference or currency that must not be stored. It never equals the payment's own, so the mismatch stays
 * visible.
 */
const ANOTHER = '…';

/**
 * A gateway's answer without the payer's secrets in references, names and addresses, which are stored and passed on as
 * they are. An altered one would be useless, so it is dropped whole.
 *
 * @param echoes finds what the payer sent in confidence: card number, cvv, PIN, one-time code, names, addresses
 * @param reference the session's reference. The gateway got it with the attempt's number, and that is kept
 */
export function withoutEchoes(answer: GatewayAnswer, echoes: EchoFinder, reference: string): GatewayAnswer {
  if (echoes.secrets.length === 0) return answer;
  const kept = (text: string | undefined): string | undefined =>
    text !== undefined && echoes.isIn(text) ? undefined : text;
  const compared = (text: string | undefined): string | undefined =>
    text !== undefined && !isOwn(text, reference) && echoes.isIn(text) ? ANOTHER : text;
  const fields = Object.entries(answer.redirectFields ?? {});
  const mayRedirect = !fields.some(([name, value]) => echoes.isIn(name) || echoes.isIn(value));
  const url = mayRedirect ? kept(answer.redirectUrl) : undefined;
  return {
    ...answer,
    status: kept(answer.status),
    unlisted: kept(answer.unlisted),
    transactionRef: kept(answer.transactionRef),
    reference: compared(answer.reference),
    currency: compared(answer.currency),
    kept: answer.kept && withoutEchoedValues(answer.kept, echoes),
    accountNumber: kept(answer.accountNumber),
    accountName: kept(answer.accountName),
    bankName: kept(answer.bankName),
    ussdCode: kept(answer.ussdCode),
    redirectUrl: url,
    redirectFields: url === undefined ? undefined : answer.redirectFields,
  };
}

/** The values of a `keep` that repeat none of the payer's secrets. */
export function withoutEchoedValues(
  values: Readonly<Record<string, string>>,
  echoes: EchoFinder,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => !echoes.isIn(text)));
}

/** `ORDER-1001_2` of `ORDER-1001`, whatever the profile writes between them. */
function isOwn(text: string, reference: string): boolean {
  return text.startsWith(reference) && /^[^A-Za-z0-9\s]{1,8}[0-9]{1,9}$/.test(text.slice(reference.length));
}

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
class Needle {
  readonly words: string;
  readonly spaced: boolean;
  readonly digits: string | undefined;
  #encoded: readonly string[] | undefined;

  constructor(private readonly secret: string) {
    this.words = secret.toLowerCase().replace(/\s+/g, ' ');
    this.spaced = this.words.includes(' ');
    this.digits = secret.length >= MIN_CARD_DIGITS && /^[0-9]+$/.test(secret) ? secret : undefined;
  }

  /** The whole value in base64, base64url and hexadecimal, where a text of this length could hold any of them. Most are too short. */
  encoded(length: number): readonly string[] {
    // Base64 is the shortest of them, with four characters for three bytes.
    if (length * 3 < this.secret.length * 4) return [];
    return (this.#encoded ??= encodedForms(Buffer.from(this.secret)));
  }
}

function encodedForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64').replaceAll('=', '');
  return [bytes.toString('base64url'), base64, hex, hex.toUpperCase()];
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
    // As it is, and percent-decoded.
    for (let count = 0, view = text; ; count++) {
      if (this.#stands(view) || base64In(view).some((decoded) => this.#stands(decoded))) return true;
      if (count === MAX_DECODED || !view.includes('%')) return false;
      const decoded = percentDecoded(view);
      if (decoded === view) return false;
      view = decoded;
    }
  }

  #stands(view: string): boolean {
    const folded = view.toLowerCase();
    let digits: string | undefined;
    let spaced: string | undefined;
    // Encoded once for all texts of an answer, and only where there is one.
    this.#needles ??= this.secrets.map((secret) => new Needle(secret));
    return this.#needles.some((one) => {
      if (placeOf(one.words, folded) >= 0) return true;
      if (one.encoded(view.length).some((form) => placeOf(form, view) >= 0)) return true;
      // Taking signs out makes no text longer.
      if (folded.length < one.words.length) return false;
      if (one.digits !== undefined && (digits ??= folded.replace(BETWEEN_DIGITS, '')).includes(one.digits))
        return true;
      return one.spaced && placeOf(one.words, (spaced ??= folded.replace(BETWEEN_WORDS, ' '))) >= 0;
    });
  }
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
function placeOf(value: string, text: string, from = 0): number {
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
