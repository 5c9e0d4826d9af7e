import { digitsFrom, mayBeGap, mayHoldCardDigits, MIN_DIGITS } from './card-digits.js';
import { Cuts } from './cuts.js';
import { DIGIT, mayFollow, NONE, rules, valueAfter } from './secret-value.js';
import { secretNameBefore } from './secret-names.js';
import {
  endsWithWord,
  isIn,
  isQuote,
  isSpace,
  isWordSign,
  pastSpaces,
  runEnd,
  setOf,
  spacesBefore,
} from './text-signs.js';

/** No XML element that holds a secret has a longer name. */
const MAX_ELEMENT_NAME = 64;
/** The longest label of a PEM block. */
const MAX_LABEL = 64;
/** `crt_` also occurs in file names, but no return token is this short. */
const SHORTEST_RETURN_TOKEN = 12;

const NOT_IN_BEARER = setOf('"\'\\,;&<>', true);
const NOT_IN_SEGMENT = setOf('/?#"\'\\,;&<>', true);
const NOT_IN_PASSWORD = setOf('@/"\'\\', true);
const NOT_IN_HEADER = setOf('\r\n"\'\\');
const CLIENT_TOKEN = setOf('._~%-', false, true);
const WEBHOOK_SECRET = setOf('+/=_%-', false, true);
const MERCHANT_KEY = setOf('_-', false, true);
const COMPACT_TOKEN = setOf('_.-', false, true);
const LABEL = setOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ');
const ELEMENT_NAME = setOf('_.-', false, true);

const HEADERS_IN_LISTS: readonly string[] = [
  'api-key',
  'access-token',
  'notification-secret',
  'authorization',
  'cookie',
];

/**
 * Finds credentials and the values of secret members in a text, in one pass and in linear time. A rule looks back only over
 * the longest name, or over characters that no other rule looks back over (the spaces and backslashes right before it).
 * Text that it reads ahead is either cut and not read again, or bounded.
 */
export class SecretScan {
  cuts = Cuts.none;
  /** Whether there is a secret's name that may have a value, even if no value was found. */
  named = false;
  /** Whether there are as many digits in a row as a card number has. */
  manyDigits = false;
  readonly #text: string;
  /** No token of three parts begins before this position. */
  #noToken = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scan(0, text.length);
    // A run of digits may begin inside a cut part and continue after it.
    this.manyDigits ||= this.cuts.some && mayHoldCardDigits(text);
  }

  /** Examines the characters between two positions and returns how far it got. */
  #scan(from: number, to: number): number {
    const text = this.#text;
    let digitsEnd = 0;
    let at = from;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      const rule = rules[code] as number;
      if (rule === NONE) continue;
      if (rule !== DIGIT) {
        if (mayFollow(rule, text, at)) at = this.#look(at, code);
        continue;
      }
      let end = at + 1;
      while (rules[text.charCodeAt(end)] === DIGIT) end++;
      if (at >= digitsEnd && (end - at >= MIN_DIGITS || mayBeGap(text.charCodeAt(end)))) {
        const digits = digitsFrom(text, at);
        digitsEnd = digits.end;
        this.manyDigits ||= digits.enough;
      }
      at = end - 1;
    }
    return at;
  }

  /** Applies the rule of the character at a position. Returns the last position that needs no further look. */
  #look(at: number, code: number): number {
    switch (code) {
      case 0x3a: // :
      case 0x3d: // =
        return this.#member(at, at + 1);
      case 0x25: // %
        return this.#percent(at);
      case 0x5f: // _
        return this.#prefixed(at);
      case 0x2f: // /
        return this.#address(at);
      case 0x2c: // ,
        return this.#listed(at);
      case 0x3c: // <
        return this.#element(at);
      case 0x40: // @
        return this.#password(at);
      case 0x4a: // J
        return this.#token(at);
      case 0x42: // B
        return this.#privateKey(at);
      default:
        return this.#scheme(at, at + 1);
    }
  }

  #percent(at: number): number {
    const next = this.#text.charCodeAt(at + 1);
    const last = this.#text.charCodeAt(at + 2) | 0x20;
    if (next === 0x33 && last === 0x64) return this.#member(at, at + 3);
    if (next === 0x32 && this.#text.charCodeAt(at + 2) === 0x30) return this.#scheme(at, at + 3);
    return at;
  }

  /** A member and its value: in JSON (also in JSON within JSON), in a form, or as `util.inspect` prints it. */
  #member(at: number, from: number): number {
    const name = this.#nameEnd(at);
    const begin = secretNameBefore(this.#text, name.end);
    if (begin < 0) return at;
    this.named = true;
    if (!name.quoted && this.#text.charCodeAt(at) === 0x3a) {
      const header = this.#header(from, begin, name.end);
      if (header >= 0) return this.#cut(at, header, runEnd(this.#text, header, NOT_IN_HEADER));
    }
    const value = valueAfter(this.#text, from);
    return value.end > value.start ? this.#cut(at, value.start, value.end) : Math.max(at, value.start - 1);
  }

  /**
   * Where the name before a colon or an equals sign ends. Spaces, a quote with its backslashes and a bracket may follow it.
   */
  #nameEnd(at: number): { end: number; quoted: boolean } {
    const text = this.#text;
    let end = spacesBefore(text, at);
    const quoted = isQuote(text.charCodeAt(end - 1));
    if (quoted) end = backslashesBefore(text, end - 1);
    if (text.charCodeAt(end - 1) === 0x5d) end--;
    else if (endsWithWord(text, end, '%5d')) end -= 3;
    return { end, quoted };
  }

  /**
   * Where the value of an `authorization` or `cookie` header begins; it extends to the end of its line. -1 for any other
   * header.
   */
  #header(from: number, begin: number, end: number): number {
    const text = this.#text;
    if (!endsWithWord(text, end, 'authorization') && !endsWithWord(text, end, 'cookie')) return -1;
    if (isWordSign(text.charCodeAt(begin - 1))) return -1;
    const start = pastSpaces(text, from);
    const first = text.charCodeAt(start);
    return start < text.length && !isQuote(first) && first !== 0x5c ? start : -1;
  }

  /** `Bearer …` and `Basic …`. */
  #scheme(at: number, from: number): number {
    const text = this.#text;
    const last = text.charCodeAt(at - 1) | 0x20;
    const word = last === 0x72 ? 'bearer' : last === 0x63 ? 'basic' : '';
    if (word === '' || !endsWithWord(text, at, word) || isWordSign(text.charCodeAt(at - word.length - 1)))
      return at;
    const start = isSpace(text.charCodeAt(at)) ? pastSpaces(text, from) : from;
    return this.#cutRun(at, start, runEnd(text, start, NOT_IN_BEARER));
  }

  /** Tokens and keys in Tillfront's own formats. */
  #prefixed(at: number): number {
    const text = this.#text;
    const end = at + 1;
    if (endsWithWord(text, at, 'cst')) return this.#cutRun(at, end, runEnd(text, end, CLIENT_TOKEN, true));
    if (endsWithWord(text, at, 'whsec'))
      return this.#cutRun(at, end, runEnd(text, end, WEBHOOK_SECRET, true));
    if (endsWithWord(text, at, 'crt')) {
      const token = runEnd(text, end, CLIENT_TOKEN, true);
      return token - end >= SHORTEST_RETURN_TOKEN ? this.#cut(at, end, token) : at;
    }
    if (['mk_test', 'mk_live', 'mk_read'].some((word) => endsWithWord(text, at, word)))
      return this.#cutRun(at, end, runEnd(text, end, MERCHANT_KEY, true));
    return at;
  }

  /** Addresses whose last part is a credential. */
  #address(at: number): number {
    const text = this.#text;
    const last = text.charCodeAt(at - 1);
    const secret =
      last === 0x6e
        ? endsWithWord(text, at, '/return')
        : last === 0x73 && endsWithWord(text, at, '/gateway/notifications');
    return secret ? this.#cutRun(at, at + 1, runEnd(text, at + 1, NOT_IN_SEGMENT)) : at;
  }

  /** The password of `scheme://user:password@host`, found backwards from the `@`. The search stops at another `@`. */
  #password(at: number): number {
    const text = this.#text;
    let start = at;
    let colon = -1;
    while (start > 0 && !isIn(NOT_IN_PASSWORD, text.charCodeAt(start - 1))) {
      start--;
      if (text.charCodeAt(start) === 0x3a) colon = start;
    }
    if (colon < 0 || colon + 1 === at || !endsWithWord(text, start, '://')) return at;
    this.#add(colon + 1, at);
    return at;
  }

  /** An entry of a flat list of headers: `"x-api-key", "…"`. */
  #listed(at: number): number {
    const text = this.#text;
    const quote = text.charCodeAt(at - 1);
    if (!isQuote(quote)) return at;
    const end = backslashesBefore(text, at - 1);
    if (secretNameBefore(text, end) < 0 && !endsWithWord(text, end, 'secret')) return at;
    this.named = true;
    const header = HEADERS_IN_LISTS.find((name) => endsWithWord(text, end, name));
    if (header === undefined) return at;
    const value = valueAfter(text, at + 1);
    return value.end > value.start ? this.#cut(at, value.start, value.end) : Math.max(at, value.start - 1);
  }

  /** The content of an XML element. */
  #element(at: number): number {
    const text = this.#text;
    const limit = at + 1 + MAX_ELEMENT_NAME;
    let end = at + 1;
    while (end < limit && (isIn(ELEMENT_NAME, text.charCodeAt(end)) || text.charCodeAt(end) === 0x3a)) end++;
    const behind = text.charCodeAt(end);
    if ((behind !== 0x3e && !isSpace(behind)) || secretNameBefore(text, end) < 0) return at;
    this.named = true;
    let close = end;
    while (close < text.length && text.charCodeAt(close) !== 0x3e) {
      if (text.charCodeAt(close) === 0x3c) return at;
      close++;
    }
    if (close === text.length) return at;
    // Its attributes may hold secrets of their own.
    const next = text.indexOf('<', this.#scan(end, close));
    return this.#cut(at, close + 1, next < 0 ? text.length : next);
  }

  /** A JWT or JWE: a header that begins with `{"` in base64url, followed by at least two dots. */
  #token(at: number): number {
    const text = this.#text;
    if (at < this.#noToken || text.charCodeAt(at - 1) !== 0x79 || text.charCodeAt(at - 2) !== 0x65) return at;
    const end = runEnd(text, at + 1, COMPACT_TOKEN, true);
    let dots = 0;
    for (let each = at + 2; each < end; each++) if (text.charCodeAt(each) === 0x2e) dots++;
    if (dots >= 2) return this.#cut(at, at - 2, end);
    this.#noToken = end;
    return at;
  }

  #privateKey(at: number): number {
    const text = this.#text;
    if (!text.startsWith('-----BEGIN ', at - 5)) return at;
    const begin = labelEnd(text, at + 6);
    if (begin < 0) return at;
    let end = text.indexOf('-----END ', begin);
    while (end >= 0) {
      const close = labelEnd(text, end + 9);
      if (close >= 0) return this.#cut(at, begin, close);
      end = text.indexOf('-----END ', end + 9);
    }
    return this.#cut(at, begin, text.length);
  }

  #add(start: number, end: number): void {
    if (this.cuts === Cuts.none) this.cuts = new Cuts();
    this.cuts.add(start, end);
  }

  #cutRun(at: number, start: number, end: number): number {
    return end > start ? this.#cut(at, start, end) : at;
  }

  /**
   * Cuts, and returns where to continue: after the cut, or at its last character if that belongs to a name inside the cut
   * (`otp=cvv: 111`), so that no value hides behind another.
   */
  #cut(at: number, start: number, end: number): number {
    this.#add(start, end);
    const last = this.#text.charCodeAt(end - 1);
    if (last === 0x3a || last === 0x3d) return Math.max(at, end - 2);
    return endsWithWord(this.#text, end, '%3d') ? Math.max(at, end - 4) : end - 1;
  }
}

function backslashesBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) === 0x5c) at--;
  return at;
}

/** Where the rest of a PEM line that reads `PRIVATE KEY-----` ends; -1 where it reads something else. */
function labelEnd(text: string, from: number): number {
  let close = from;
  while (close < from + MAX_LABEL && isIn(LABEL, text.charCodeAt(close))) close++;
  return text.startsWith('-----', close) && endsWithWord(text, close, 'private key') ? close + 5 : -1;
}
