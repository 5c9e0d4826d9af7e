/** No key or word of a profile is longer. */
const MAX_LENGTH = 64;

/**
 * The candidate that a misspelt word most likely means. Undefined where none is near. A third of the letters may differ, or
 * at most `mostDifferences`: more would be another word.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  mostDifferences = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const folded = word.toLowerCase();
  let best: string | undefined;
  let least = mostDifferences + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(folded, candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Half a sentence to hang on a fault. */
export function perhaps(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; perhaps "${meant}" is meant`;
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (i > 1 && j > 1 && swapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
