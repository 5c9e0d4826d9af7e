import { parsePointer, readPointer } from '../profile/pointer.js';
import { targetOf } from '../requests/places.js';
import type { Profile } from '../profile/format.js';

/**
 * Reads the envelope from the answer of the gateway's own encryption operation. It is the whole answer, or the value
 * that the profile's `envelope` names. Undefined where the answer is an error or has no such value.
 */
export function envelopeOf(
  document: unknown,
  profile: Profile,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  const failed = profile.outcome.error.some((text) => {
    const pointer = parsePointer(text);
    return pointer !== undefined && (readPointer(document, pointer) ?? false) !== false;
  });
  if (failed) return undefined;
  const { envelope } = profile.encryption;
  if (envelope === undefined) return document as Record<string, unknown>;
  const target = targetOf(envelope);
  const value = readPointer(document, target);
  const present = typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  return present ? { [target.at(-1) ?? envelope]: value } : undefined;
}
