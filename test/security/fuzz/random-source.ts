/** A whole number from 0 to below `limit`. */
export type Random = (limit: number) => number;

/** The same numbers for the same seed (xorshift). */
export function randomSource(seed: number): Random {
  let state = (seed ^ 0x9e37_79b9) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
