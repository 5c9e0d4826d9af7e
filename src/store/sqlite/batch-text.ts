/**
 * A batch as one text, because a thread is sent one text many times faster than its parts. Node.js strips the types of this file: it needs no
 * more than that.
 */

export type BatchValue = string | number | bigint | null;
export type BatchStep = readonly [number: number, ...values: BatchValue[]];

const SEPARATOR = '\u0001';
const NULL = '\u0002';
const NUMBER = '\u0003';
/** Nothing that is stored has any: JSON escapes them, and other texts are cleaned where they come in. */
const RESERVED = new RegExp(`[${SEPARATOR}${NULL}${NUMBER}]`, 'g');

/** By write: how many steps, then each step's number and values. */
export function batchText(batch: readonly (readonly BatchStep[])[]): string {
  const parts: (string | number)[] = [batch.length];
  for (const steps of batch) {
    parts.push(steps.length);
    for (const [number, ...values] of steps) {
      parts.push(number);
      for (const value of values) parts.push(encoded(value));
    }
  }
  return parts.join(SEPARATOR);
}

/** @param count says how many values a step has */
export function readBatch(text: string, count: (step: number) => number): BatchStep[][] {
  const parts = text.split(SEPARATOR);
  let at = 0;
  const next = (): string => parts[at++] ?? '';
  return Array.from({ length: Number(next()) }, () =>
    Array.from({ length: Number(next()) }, (): BatchStep => {
      const number = Number(next());
      return [number, ...Array.from({ length: count(number) }, () => decoded(next()))];
    }),
  );
}

function encoded(value: BatchValue): string {
  if (value === null) return NULL;
  if (typeof value === 'string') return value.replace(RESERVED, ' ');
  return `${NUMBER}${value}`;
}

function decoded(part: string): BatchValue {
  if (part === NULL) return null;
  if (!part.startsWith(NUMBER)) return part;
  const number = Number(part.slice(1));
  return Number.isSafeInteger(number) ? number : BigInt(part.slice(1));
}
