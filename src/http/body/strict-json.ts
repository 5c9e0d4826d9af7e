import { isUtf8 } from 'node:buffer';
import { Problem } from '../problems/problem.js';

/** How deep objects and arrays may be nested. Later steps recurse, and no request of this API needs more than 4 levels. */
const MAX_NESTING = 20;

/** NUL and all other control characters (C0, DEL, C1). No field of this API needs one. */
const CONTROL_CHARACTER = /\p{Cc}/u;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** What the scan of the bytes found. */
interface Scan {
  /** The number of `"key":` in the text, duplicates included. */
  readonly keys: number;
  /** Whether a string can hold anything other than printable ASCII. */
  readonly unusual: boolean;
}

/**
 * Parses a JSON body as RFC 8259 with the strictness of I-JSON (RFC 7493): valid UTF-8 without a byte order mark, no
 * duplicate keys, no lone surrogates, at most 20 levels. Control characters and keys that reach a prototype are refused
 * too, even when they are escaped. Throws `malformed-json`. The message never repeats the body.
 */
export function parseStrictJson(body: Buffer): unknown {
  if (body.length === 0) throw malformed('The body is empty.');
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  const scan = scanTokens(body);
  let value: unknown;
  try {
    value = JSON.parse(scan.unusual ? body.toString('utf8') : body.toString('latin1')) as unknown;
  } catch {
    // The parser's own message quotes the body.
    throw malformed('The body is not valid JSON.');
  }
  // A duplicate key leaves fewer members in the value than keys in the text, however the key is escaped.
  if (checkMembers(value, scan.unusual) !== scan.keys) throw malformed('An object holds the same key twice.');
  return value;
}

/** Counts keys and nesting in one pass, before anything is built from a hostile body. */
function scanTokens(body: Buffer): Scan {
  const length = body.length;
  let keys = 0;
  let depth = 0;
  let unusual = false;
  for (let at = 0; at < length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      for (at++; at < length; at++) {
        const inside = body[at] as number;
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) {
          unusual = true;
          at++;
        } else if (inside >= DELETE) {
          unusual = true;
        }
      }
    } else if (byte === COLON) {
      keys++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_NESTING) throw malformed(`The body is nested deeper than ${MAX_NESTING} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if ((byte as number) > DELETE) {
      // Outside a string this is not JSON. The parser gets the real text, so that it refuses it.
      unusual = true;
    }
  }
  return { keys, unusual };
}

/** Checks all keys, and strings if they can be unusual. Returns the number of members of all objects. */
function checkMembers(value: unknown, unusual: boolean): number {
  if (typeof value === 'string') {
    if (unusual) checkText(value);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) members += checkMembers(item, unusual);
    return members;
  }
  const record = value as Record<string, unknown>;
  for (const key in record) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
      throw malformed('An object holds a key that is not allowed.');
    }
    if (unusual) checkText(key);
    members += 1 + checkMembers(record[key], unusual);
  }
  return members;
}

function checkText(text: string): void {
  if (CONTROL_CHARACTER.test(text)) throw malformed('A string holds a control character.');
  if (!text.isWellFormed()) throw malformed('A string holds half of a surrogate pair.');
}

function malformed(detail: string): Problem {
  return new Problem('malformed-json', detail);
}
