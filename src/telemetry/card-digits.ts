import type { Cuts } from './cuts.js';

/** No card number has fewer digits. */
export const MIN_DIGITS = 12;
const MAX_DIGITS = 19;
/** The most characters that can separate two digits of one number. */
const MAX_GAPS = 2;

/** The kinds of separators, one bit each. The first occurs only in numbers written for people, the others anywhere. */
const HARD = 1;
const DOT = 2;
const TAB = 4;
const UNDERSCORE = 8;
const SLASH = 16;
const SOFT = DOT | TAB | UNDERSCORE | SLASH;

/**
 * The length of a gap with its kinds in the lowest bits; 0 is no gap. It is one number because it is computed after every
 * digit.
 */
const KIND_BITS = 5;
const gap = (length: number, kinds: number): number => (length << KIND_BITS) | kinds;
const lengthOf = (found: number): number => found >> KIND_BITS;
const kindsOf = (found: number): number => found & (HARD | SOFT);

/** The kinds of gaps of one character; 0 is not a gap. */
function kindOfSign(code: number): number {
  switch (code) {
    case 0x20: // blank
    case 0x2b: // +
    case 0x2d: // -
    case 0xa0: // no-break space
      return HARD;
    case 0x09:
      return TAB;
    case 0x2e:
      return DOT;
    case 0x2f:
      return SLASH;
    case 0x5f:
      return UNDERSCORE;
    default:
      // Typographic spaces and dashes.
      return (code >= 0x2000 && code <= 0x2015) || code === 0x202f || code === 0x2212 ? HARD : 0;
  }
}

const gapSigns = new Uint8Array(0x1_0000);
for (let code = 0; code < gapSigns.length; code++) if (kindOfSign(code) !== 0) gapSigns[code] = 1;
for (const sign of '%\\') gapSigns[sign.charCodeAt(0)] = 1;

/** False where this character cannot begin a separator between two digits. */
export const mayBeGap = (code: number): boolean => gapSigns[code] === 1;

/** What can separate the digits of a card number, also escaped in a URL or a JSON text. */
function gapAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x25) return percentGap(text, at);
  if (code === 0x5c) return escapedTab(text, at);
  const kind = kindOfSign(code);
  return kind === 0 ? 0 : gap(1, kind);
}

function percentGap(text: string, at: number): number {
  const sign = hexAt(text, at + 1) * 16 + hexAt(text, at + 2);
  if (
    sign === 0xc2 &&
    text.charCodeAt(at + 3) === 0x25 &&
    hexAt(text, at + 4) * 16 + hexAt(text, at + 5) === 0xa0
  )
    return gap(6, HARD);
  const kind = sign < 128 ? kindOfSign(sign) : 0;
  return kind === 0 ? 0 : gap(3, kind);
}

/** The value of a hexadecimal digit. Any other character gives a value above all of them. */
function hexAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isDigit(code)) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : 0x100;
}

/** `\t`, with more than one backslash in JSON within JSON. */
function escapedTab(text: string, at: number): number {
  let end = at + 1;
  while (end < at + 4 && text.charCodeAt(end) === 0x5c) end++;
  return text.charCodeAt(end) === 0x74 ? gap(end + 1 - at, TAB) : 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Everything between a digit and the next one: its length and kinds. 0 where the number ends here. */
function gapsAt(text: string, from: number): number {
  let at = from;
  let kinds = 0;
  for (let count = 0; count < MAX_GAPS && mayBeGap(text.charCodeAt(at)); count++) {
    const found = gapAt(text, at);
    if (found === 0) break;
    at += lengthOf(found);
    kinds |= kindsOf(found);
  }
  return at > from && isDigit(text.charCodeAt(at)) ? gap(at - from, kinds) : 0;
}

/** How many digits follow each other from a position, and where they end. Counting stops when there are enough to matter. */
export function digitsFrom(text: string, from: number): { enough: boolean; end: number } {
  let count = 0;
  let at = from;
  for (;;) {
    while (isDigit(text.charCodeAt(at))) {
      at++;
      if (++count === MIN_DIGITS) return { enough: true, end: at };
    }
    const between = gapsAt(text, at);
    if (between === 0) return { enough: false, end: at };
    at += lengthOf(between);
  }
}

/** Whether a text has enough digits in a row that {@link cutCardDigits} may find something. */
export function mayHoldCardDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const { enough, end } = digitsFrom(text, at);
    if (enough) return true;
    at = end - 1;
  }
  return false;
}

/**
 * Cuts card numbers. 12 digits or more count as one, alone or with at most two spaces, dashes or plus signs between them.
 * Dots, tabs, underscores and slashes also separate the digits of times, addresses and versions. Across these a number is
 * cut only if it begins and ends with a group, has a brand's prefix and length, has a valid check digit, and is grouped as
 * people do it (see `#cutCard`). UUIDs and trace ids stay: one may have many digits in a row by chance, and it must remain
 * searchable.
 */
export function cutCardDigits(text: string, cuts: Cuts): void {
  const run = new DigitRun(text, cuts);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const identifier = beginsIdentifier(text, at, code) ? identifierEnd(text, at) : -1;
    if (identifier >= 0) at = identifier - 1;
    else if (!isDigit(code)) continue;
    else if (digitsFrom(text, at).enough) at = run.read(at) - 1;
    else while (isDigit(text.charCodeAt(at + 1))) at++;
  }
}

/** The size of the tables that hold the latest digits. A power of two. */
const PLACES = 32;

/** Reads one run after another of digits that only gaps separate. */
class DigitRun {
  readonly #text: string;
  readonly #cuts: Cuts;
  readonly #digits = new Uint8Array(PLACES);
  readonly #places = new Int32Array(PLACES);
  /** The kinds of the gap before each digit. */
  readonly #gaps = new Uint8Array(PLACES);
  #count = 0;
  /** Digits since the last soft gap. */
  #hardCount = 0;
  #hardStart = 0;
  /** How many digits came before the last soft gap; -1 where there was none. */
  #lastSoft = -1;

  constructor(text: string, cuts: Cuts) {
    this.#text = text;
    this.#cuts = cuts;
  }

  /** Reads a run from its first digit, cuts card numbers, and returns where the run ends. It ends before an identifier. */
  read(from: number): number {
    this.#count = 0;
    this.#hardCount = 0;
    this.#lastSoft = -1;
    let at = from;
    let kinds = 0;
    for (;;) {
      this.#take(at, kinds);
      at++;
      kinds = 0;
      if (isDigit(this.#text.charCodeAt(at))) continue;
      const between = gapsAt(this.#text, at);
      kinds = kindsOf(between);
      if (this.#lastSoft > this.#count - MAX_DIGITS && this.#lastSoft > 0) this.#cutCard(kinds);
      if (between === 0 || (kinds & SOFT) !== 0) this.#cutHard(at);
      const next = at + lengthOf(between);
      if (between !== 0 && identifierEnd(this.#text, next) >= 0) {
        this.#cutHard(at);
        return at;
      }
      if (between === 0) return at;
      at = next;
    }
  }

  #take(at: number, kinds: number): void {
    const slot = this.#count % PLACES;
    this.#digits[slot] = this.#text.charCodeAt(at) - 0x30;
    this.#places[slot] = at;
    this.#gaps[slot] = kinds;
    if ((kinds & SOFT) !== 0) {
      this.#lastSoft = this.#count;
      this.#hardCount = 0;
    }
    if (this.#hardCount === 0) this.#hardStart = at;
    this.#hardCount++;
    this.#count++;
  }

  #cutHard(end: number): void {
    if (this.#hardCount >= MIN_DIGITS) this.#cuts.add(this.#hardStart, end);
  }

  /**
   * Cuts the longest card number that contains a soft gap and ends with the latest digit. Either all its groups except the
   * last have three digits or more, or all groups have the same size and separator and the text around it uses another
   * separator.
   */
  #cutCard(kindsBehind: number): void {
    const digits = this.#digits;
    const gaps = this.#gaps;
    const last = this.#count - 1;
    const oldest = Math.max(0, this.#count - MAX_DIGITS);
    let sum = 0;
    let size = 0;
    let groupSize = 0;
    let smallest = MAX_DIGITS;
    let kinds = 0;
    let alike = true;
    let first = -1;
    // From the check digit backwards, every second digit is doubled.
    for (let at = last; at >= oldest; at--) {
      const slot = at % PLACES;
      const digit = digits[slot] as number;
      const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
      sum += (last - at) % 2 === 1 ? doubled : digit;
      size++;
      const before = gaps[slot] as number;
      if (before === 0 && at > 0) continue;
      const length = last - at + 1;
      if (size !== length) {
        if (groupSize !== 0 && groupSize !== size) alike = false;
        groupSize = size;
        if (size < smallest) smallest = size;
      }
      const small = smallest < 3;
      if (small && (!alike || kindsBehind === kinds)) break;
      const checked = sum % 10 === 0;
      const mayBeCard = checked || (digit === 6 && digits[(at + 1) % PLACES] === 2);
      if (length >= MIN_DIGITS && (kinds & SOFT) !== 0 && mayBeCard && !(small && before === kinds)) {
        if (isCard(this.#prefix(at), length, checked)) first = at;
      }
      if (kinds !== 0 && kinds !== before) alike = false;
      kinds |= before;
      size = 0;
    }
    if (first >= 0)
      this.#cuts.add(this.#places[first % PLACES] as number, (this.#places[last % PLACES] as number) + 1);
  }

  /** The first four digits as a number. */
  #prefix(first: number): number {
    let prefix = 0;
    for (let at = first; at < first + 4; at++) prefix = prefix * 10 + (this.#digits[at % PLACES] as number);
    return prefix;
  }
}

/** Whether a brand has numbers with this prefix and length. Some UnionPay numbers have no check digit. */
function isCard(prefix: number, length: number, checked: boolean): boolean {
  const two = Math.floor(prefix / 100);
  if (two === 62 && length >= 16) return true;
  if (!checked) return false;
  if (two >= 40 && two <= 49) return length === 13 || length === 16 || length === 19;
  if ((two >= 51 && two <= 55) || (prefix >= 2221 && prefix <= 2720) || prefix === 9792) return length === 16;
  if (two === 34 || two === 37) return length === 15;
  if (two === 30 || two === 36 || two === 38 || two === 39) return length >= 14;
  if (two === 35 || two === 81 || two === 82 || (prefix >= 2200 && prefix <= 2204)) return length >= 16;
  return two === 50 || (two >= 56 && two <= 69);
}

const isHex = (code: number): boolean => isDigit(code) || (code >= 0x61 && code <= 0x66);

const isLetterOrDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

const beginsIdentifier = (text: string, at: number, code: number): boolean =>
  isHex(code) && (at === 0 || !isLetterOrDigit(text.charCodeAt(at - 1)));

/** Where a UUID (36 characters) or a trace id (32) that begins here and contains a letter ends; -1 where there is none. */
function identifierEnd(text: string, from: number): number {
  let letters = false;
  let at = from;
  for (; at < from + 36; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2d && isDashOfUuid(at - from)) continue;
    if (!isHex(code) || (at - from >= 32 && text.charCodeAt(from + 8) !== 0x2d)) break;
    letters ||= !isDigit(code);
  }
  const length = at - from;
  const whole = length === 36 ? dashes(text, from) === 4 : length === 32 && dashes(text, from) === 0;
  return whole && letters && !isLetterOrDigit(text.charCodeAt(at)) ? at : -1;
}

const isDashOfUuid = (place: number): boolean => place === 8 || place === 13 || place === 18 || place === 23;

const dashes = (text: string, from: number): number =>
  [8, 13, 18, 23].filter((place) => text.charCodeAt(from + place) === 0x2d).length;
