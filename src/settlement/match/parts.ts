/** So many different sums are tried. Real payments are settled in a few parts. */
const MOST_SUMS = 4_096;

/**
 * The rows that together come to a sum: of several such sets the one whose last row comes first. Undefined where none does. Depends on the
 * order of the rows alone. Pure.
 */
export function partsOf<T extends { readonly gross: bigint }>(
  rows: readonly T[],
  sum: bigint,
): readonly T[] | undefined {
  const made = new Map<bigint, readonly T[]>([[0n, []]]);
  for (const row of rows) {
    for (const [before, parts] of [...made]) {
      const next = before + row.gross;
      if (next === sum) return [...parts, row];
      if (next < sum && !made.has(next) && made.size < MOST_SUMS) made.set(next, [...parts, row]);
    }
  }
  return undefined;
}
