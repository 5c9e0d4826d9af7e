import { hash, timingSafeEqual } from 'node:crypto';

/** A source returns the same list object until its values change, so each list is hashed only once. */
const digestsOfList = new WeakMap<readonly string[], readonly Buffer[]>();

/**
 * The index of the valid secret that was presented; -1 where there is none. Both sides are hashed, so neither the time nor
 * the length of a comparison reveals how much of a guess was right. Every entry is compared, even after a match.
 */
export function indexOfMatch(presented: string, secrets: readonly string[]): number {
  const digest = digestOf(presented);
  let matched = -1;
  digestsOf(secrets).forEach((known, index) => {
    if (timingSafeEqual(digest, known)) matched = index;
  });
  return matched;
}

/** The same for a single secret. An absent secret matches nothing. */
export function matchesSecret(presented: string, secret: string | undefined): boolean {
  return secret !== undefined && timingSafeEqual(digestOf(presented), digestOf(secret));
}

function digestsOf(secrets: readonly string[]): readonly Buffer[] {
  const known = digestsOfList.get(secrets);
  if (known) return known;
  const digests = secrets.map(digestOf);
  // Only the hashes of a frozen list can be kept, because no other list is sure to stay unchanged.
  if (Object.isFrozen(secrets)) digestsOfList.set(secrets, digests);
  return digests;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
