import { Random } from '../chaos/random.ts';

/** A seed for each name, so that what one thing does says nothing about what another does: a smaller world stays alike. */
export function randomOf(seed: number, name: string): Random {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  const random = new Random((hash ^ (hash >>> 15)) >>> 0);
  random.next();
  return random;
}

/** Milliseconds, most of them short and some very long. */
export function spread(random: Random, least: number, most: number): number {
  return least * (most / least) ** random.next();
}
