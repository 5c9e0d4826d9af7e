import { hash, timingSafeEqual } from 'node:crypto';

/** Lists from a source stay the same object until they change, so their digests need to be made only once. */
const digestsOfList = new WeakMap<readonly string[], readonly Buffer[]>();

/**
 * Whether a presented secret is one of the valid ones. Both sides are hashed, so neither the time nor the length of a
 * comparison says how much of a guess was right; every entry is compared, whatever the earlier ones said.
 */
export function matchesAny(presented: string, secrets: readonly string[]): boolean {
  return indexOfMatch(presented, secrets) >= 0;
}

/** Which of the valid secrets a presented one is, compared in the same way; -1 where it is none of them. */
export function indexOfMatch(presented: string, secrets: readonly string[]): number {
  const digest = digestOf(presented);
  let matched = -1;
  digestsOf(secrets).forEach((known, index) => {
    if (timingSafeEqual(digest, known)) matched = index;
  });
  return matched;
}

/** The same for one secret; an absent one matches nothing. */
export function matchesSecret(presented: string, secret: string | undefined): boolean {
  return secret !== undefined && timingSafeEqual(digestOf(presented), digestOf(secret));
}

function digestsOf(secrets: readonly string[]): readonly Buffer[] {
  const known = digestsOfList.get(secrets);
  if (known) return known;
  const digests = secrets.map(digestOf);
  // Only a frozen list is sure not to change behind the kept digests.
  if (Object.isFrozen(secrets)) digestsOfList.set(secrets, digests);
  return digests;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
