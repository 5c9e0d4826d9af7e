/**
 * How often a person has accepted that the store has forgotten what it had confirmed. Numbers that were given out before may be given
 * out again then, so from the first time on the epoch is part of what is made of them: references of refunds, and ids of events.
 */
export interface Epoch {
  /** 0: nothing was ever forgotten. */
  readonly number: number;
  /** When the last loss was accepted, in milliseconds since the epoch of clocks; 0: never. */
  readonly since: number;
}

/** The row of `meta` that keeps it. */
export const EPOCH = 'epoch';

const FIRST_EPOCH: Epoch = { number: 0, since: 0 };

/** The epoch as `meta` has it; the first one where there is no row. Pure. */
export function parseEpoch(value: string | null | undefined): Epoch {
  const [number, since] = (value ?? '').split(' ').map(Number);
  return Number.isSafeInteger(number) && Number.isSafeInteger(since)
    ? { number: number ?? 0, since: since ?? 0 }
    : FIRST_EPOCH;
}

/** An epoch as `meta` keeps it. Pure. */
export function writeEpoch({ number, since }: Epoch): string {
  return `${number} ${since}`;
}

/**
 * The epoch after losses were accepted at `at`, `details` being what is recorded of them. It is one that no process has known, also where
 * the store has forgotten an earlier acceptance. Pure.
 */
export function nextEpoch(stored: Epoch, details: readonly string[], at: number): Epoch {
  const known = details.map((detail) => (JSON.parse(detail) as { epoch?: unknown }).epoch);
  const numbers = known.filter((one): one is number => Number.isSafeInteger(one));
  return { number: Math.max(stored.number, ...numbers) + 1, since: Math.max(stored.since, at) };
}

/** What is appended to a number that is given out in an epoch. Pure. */
export function epochMark(number: number): string {
  return number === 0 ? '' : `e${number}`;
}
