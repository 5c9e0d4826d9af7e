import { PROTOTYPE_KEYS } from '../profile/pointer.js';

/** How deep an answer may be nested. No known answer needs more than 6 levels. */
const MAX_NESTING = 64;

/** The result of parsing an answer. */
export type ParsedAnswer =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly reason: 'not-json' | 'unrecognised' | 'contradiction' };

/**
 * Parses the text of an answer. An object with a duplicate key, however the key is escaped, says two things at once,
 * so it is a contradiction. Members that reach a prototype are dropped. Never throws.
 */
export function parseAnswer(text: string): ParsedAnswer {
  const scan = scanTokens(text);
  if (scan.depth > MAX_NESTING) return { ok: false, reason: 'unrecognised' };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'not-json' };
  }
  // A duplicate key leaves fewer members in the value than keys in the text, however the key is escaped.
  if (takeMembers(document) !== scan.keys) return { ok: false, reason: 'contradiction' };
  return { ok: true, document };
}

/** Counts the keys, duplicates included, and finds the deepest nesting, in one pass over the text. */
function scanTokens(text: string): { keys: number; depth: number } {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at + 1);
        break;
      case 0x3a: // :
        keys++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
  }
  return { keys, depth: deepest };
}

/** The index of the closing quote, or of the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
    at++;
  }
}

/** Counts the members of all objects, and drops those that reach a prototype. */
function takeMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) members += takeMembers(item);
    return members;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    members += 1 + takeMembers(record[key]);
    if (PROTOTYPE_KEYS.has(key)) delete record[key];
  }
  return members;
}
