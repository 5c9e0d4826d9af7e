import { hash, timingSafeEqual } from 'node:crypto';
import type { Secret } from './secret.js';

const digests = new WeakMap<Secret<readonly string[]>, readonly Buffer[]>();

/**
 * The index of the valid secret that was presented; -1 where there is none. Both sides are hashed, so neither the time nor
 * the length of a comparison reveals how much of a guess was right. Every entry is compared, even after a match.
 */
export function indexOfMatch(presented: string, secrets: Secret<readonly string[]>): number {
  let known = digests.get(secrets);
  if (!known) digests.set(secrets, (known = secrets.unwrap().map(digestOf)));
  const digest = digestOf(presented);
  return known.reduce((matched, one, index) => (timingSafeEqual(digest, one) ? index : matched), -1);
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
