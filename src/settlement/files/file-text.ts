import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { SettlementProfile } from '../../gateway/profile/format.js';

export type FileEncoding = SettlementProfile['encoding'];

interface Encoding {
  /** The text of whole characters; undefined where the bytes are not of the encoding. */
  readonly decode: (bytes: Buffer) => string | undefined;
  /** How many of the bytes make whole characters, but for one that is cut at the end. */
  readonly whole: (bytes: Buffer) => number;
}

const encodings: Readonly<Record<FileEncoding, Encoding>> = {
  'utf-8': { decode: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined), whole: wholeUtf8 },
  'utf-16le': {
    decode: (bytes) => {
      const text = bytes.toString('utf16le');
      return bytes.length % 2 === 0 && text.isWellFormed() ? text : undefined;
    },
    whole: wholeUtf16,
  },
  'windows-1252': { decode: decodeWindows1252, whole: ({ length }) => length },
};

const BYTE_ORDER_MARK = '\ufeff';
const LINE_FEED = '\n';
const RETURN = '\r';

/**
 * Turns a file's bytes, which come in pieces, into text whose lines end in line feeds, without a byte order mark, and says by a digest which text it
 * is: however the file writes it, it is the same.
 */
export class FileText {
  readonly #encoding: Encoding;
  readonly #digest = createHash('sha256');
  /** The beginning of a character whose end has not come yet. */
  #cut: Buffer = Buffer.alloc(0);
  #isFirst = true;
  #afterReturn = false;
  #endsWithLine = true;
  #isBad = false;

  constructor(encoding: FileEncoding) {
    this.#encoding = encodings[encoding];
  }

  /** Whether any byte so far is not of the encoding. */
  get isBad(): boolean {
    return this.#isBad;
  }

  /** The text of a piece: as far as it is of the encoding, and nothing behind the first byte that is not. */
  push(piece: Buffer): string {
    if (this.#isBad) return '';
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    const whole = this.#encoding.whole(bytes);
    this.#cut = Buffer.from(bytes.subarray(whole));
    const text = this.#encoding.decode(bytes.subarray(0, whole));
    this.#isBad = text === undefined;
    return this.#take(text ?? this.#goodBeginning(bytes.subarray(0, whole)));
  }

  /** The same at the end, where no character may lack its end. Nothing is pushed any more. */
  end(): void {
    if (this.#cut.length > 0) this.#isBad = true;
  }

  /** The digest of the whole text: SHA-256 in hexadecimal. A last line without an end counts as one that has it. */
  digest(): string {
    const whole = this.#digest.copy();
    if (!this.#endsWithLine) whole.update(LINE_FEED);
    return whole.digest('hex');
  }

  #take(decoded: string): string {
    if (decoded === '') return '';
    let text = decoded;
    if (this.#isFirst && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    this.#isFirst = false;
    // Both signs together are one line's end.
    if (this.#afterReturn && text.startsWith(LINE_FEED)) text = text.slice(1);
    this.#afterReturn = decoded.endsWith(RETURN);
    if (text.includes(RETURN)) text = text.replace(/\r\n?/g, LINE_FEED);
    if (text === '') return '';
    this.#digest.update(text);
    this.#endsWithLine = text.endsWith(LINE_FEED);
    return text;
  }

  /** The text of the longest beginning that is of the encoding. */
  #goodBeginning(bytes: Buffer): string {
    let [good, bad] = [0, bytes.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      if (this.#beginning(bytes, middle) === undefined) bad = middle;
      else good = middle;
    }
    return this.#beginning(bytes, good) ?? '';
  }

  #beginning(bytes: Buffer, length: number): string | undefined {
    const some = bytes.subarray(0, length);
    return this.#encoding.decode(some.subarray(0, this.#encoding.whole(some)));
  }
}

/** No character has more bytes. */
const LONGEST_CHARACTER = 4;

function wholeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function wholeUtf16(bytes: Buffer): number {
  const even = bytes.length - (bytes.length % 2);
  const last = even === 0 ? 0 : bytes.readUInt16LE(even - 2);
  // The first half of a character of two.
  return last >= 0xd800 && last < 0xdc00 ? even - 2 : even;
}

/** The characters of the bytes 0x80 to 0x9f; a blank stands for a byte that has none. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function decodeWindows1252(bytes: Buffer): string | undefined {
  let isWhole = true;
  const text = bytes.toString('latin1').replace(/[\x80-\x9f]/g, (sign) => {
    const character = WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? ' ';
    if (character === ' ') isWhole = false;
    return character;
  });
  return isWhole ? text : undefined;
}
