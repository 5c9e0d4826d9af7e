import { isUtf8 } from 'node:buffer';

const LINE_FEED = 0x0a;
/** No character has more bytes. */
const LONGEST_CHARACTER = 4;

/** Watches whether bytes that come in pieces are UTF-8. */
export class Utf8Check {
  #lines = 0;
  /** The beginning of a character whose end has not come yet. */
  #cut: Buffer = Buffer.alloc(0);

  /** The line of the first fault, from 1; undefined where there is none so far. */
  push(piece: Buffer): number | undefined {
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    const whole = wholeCharacters(bytes);
    this.#cut = Buffer.from(bytes.subarray(whole));
    return this.#check(bytes.subarray(0, whole));
  }

  /** The same at the end, where no character may lack its end. */
  end(): number | undefined {
    return this.#cut.length === 0 ? undefined : this.#lines + 1;
  }

  #check(bytes: Buffer): number | undefined {
    const good = isUtf8(bytes);
    for (let at = 0; ; this.#lines += 1) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (!good && !isUtf8(bytes.subarray(at, end < 0 ? undefined : end))) return this.#lines + 1;
      if (end < 0) return undefined;
      at = end + 1;
    }
  }
}

/** How many of these bytes make whole characters, but for one that is cut at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
