import type { KeptValues } from '../gateway-input.js';
import type { KeepPlan } from '../plan/operation-plan.js';
import { readPointer, type Pointer } from '../profile/pointer.js';
import { readText } from './answer-values.js';

/** A longer value is no reference. */
const MAX_BYTES = 512;

/** Where values are kept from: an answer's document, or what finds values in something else. */
export type KeptSource = { readonly at: (pointer: Pointer) => unknown };

/** An answer's document as a source of values. */
export function sourceOf(document: unknown): KeptSource {
  return { at: (pointer) => readPointer(document, pointer) };
}

/** The values that the profile keeps, as far as a source has them. */
export function readKept(keep: readonly KeepPlan[], source: KeptSource): KeptValues {
  const kept: Record<string, string> = {};
  for (const { name, pointer } of keep) {
    const text = readText(source.at(pointer));
    if (text !== undefined && Buffer.byteLength(text) <= MAX_BYTES) kept[name] = text;
  }
  return kept;
}
