/** A parsed RFC 6901 JSON Pointer: one unescaped entry for each step. Empty for the whole document. */
export type Pointer = readonly string[];

/** Keys that reach a prototype. Pointers must not name them, and answers must not contain them. */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * Parses an RFC 6901 pointer. Undefined where the text is not one, or where it names a key that reaches a prototype.
 */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  const steps = text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.some((step) => PROTOTYPE_KEYS.has(step)) ? undefined : steps;
}

/** The value at the pointer, or undefined. Only own members of objects and items of arrays count. */
export function readPointer(document: unknown, pointer: Pointer): unknown {
  let value = document;
  for (const step of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    if (Array.isArray(value) && !ARRAY_INDEX.test(step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}

/** What is wrong in a profile, and where. It never repeats a value from the file. */
export interface ProfileProblem {
  /** A JSON pointer into the profile, `/operations/payCard/path`; empty for the file itself. */
  readonly place: string;
  readonly message: string;
}

/** Called for each fault. */
export type Report = (place: string, message: string) => void;

export const NOT_A_POINTER = 'is not a JSON pointer (RFC 6901)';

/** One step of a JSON pointer. */
export function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
