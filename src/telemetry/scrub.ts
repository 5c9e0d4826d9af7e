import { cutCardDigits } from './card-digits.js';
import { Cuts } from './cuts.js';
import { isSecretName } from './secret-names.js';
import { SecretScan } from './secret-scan.js';

/** Stands for every part that was removed. */
const REDACTED = '[redacted]';

/** Deeper content is removed. Nothing that is logged is so deep, and recursion must not end in a RangeError. */
const MAX_DEPTH = 64;

/**
 * Removes secrets from a text: runs of 12 or more digits (card numbers, plain, spaced or dashed), tokens, keys, and the
 * values of members that are named like a card's secrets. It is a safety net under careful code, not a substitute for it.
 */
export function scrub(text: string): string {
  const { cuts, manyDigits } = new SecretScan(text);
  if (!manyDigits) return cuts.some ? cuts.takeOutOf(text, REDACTED) : text;
  const digits = new Cuts();
  cutCardDigits(text, digits);
  return digits.with(cuts).takeOutOf(text, REDACTED);
}

/**
 * Scrubs a document of any kind. JSON is parsed first, so that escapes hide nothing and the result is JSON again. Anything
 * else is scrubbed as plain text.
 */
export function scrubDocument(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return scrub(text);
  }
  return JSON.stringify(scrubValue(value));
}

/**
 * The same for a parsed value. Strings are scrubbed; numbers of 12 or more digits and members with a secret's name are
 * removed completely.
 */
export function scrubValue(value: unknown): unknown {
  return walk(value, MAX_DEPTH);
}

/**
 * Scrubs one line of the log, which is a JSON object. It stays unchanged unless something in it is suspicious, and it is
 * always valid JSON.
 */
export function scrubLine(line: string): string {
  const scan = new SecretScan(line);
  if (!scan.named && !scan.cuts.some && !scan.manyDigits) return line;
  return `${scrubDocument(line)}\n`;
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return scrub(String(value)) === String(value) ? value : REDACTED;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return REDACTED;
  if (Array.isArray(value)) return walkList(value, depth);
  // fromEntries defines members, so a `__proto__` in the content stays an ordinary member.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]): [string, unknown] => [
      scrub(name),
      isSecretName(name) && inner !== null ? REDACTED : walk(inner, depth - 1),
    ]),
  );
}

function walkList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((entry, index) => {
    // A flat list of headers has each name before its value.
    const before: unknown = list[index - 1];
    if (typeof before === 'string' && typeof entry === 'string' && isSecretName(before)) return REDACTED;
    return walk(entry, depth - 1);
  });
}
