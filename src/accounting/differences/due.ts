import { DAY_MS } from '../../calendar/time-zone.js';
import type { Part } from './parts.js';

interface Money {
  part: Part;
  currency: string;
  method: string;
}

/** From the first to the last movement of its kind that is settled. */
export interface Bound extends Money {
  first: number;
  last: number;
}

/** When movements of a kind are due: from one time until before another. */
export interface DueRange extends Money {
  begins: number;
  ends: number;
}

export const keyOf = ({ part, currency, method }: Money): string => `${part} ${currency} ${method}`;

/** Widens the bounds by those of more payments. Money once settled stays settled. */
export function widen(bounds: Map<string, Bound>, more: readonly Bound[]): void {
  for (const one of more) {
    const known = bounds.get(keyOf(one)) ?? one;
    const first = Math.min(known.first, one.first);
    bounds.set(keyOf(one), { ...one, first, last: Math.max(known.last, one.last) });
  }
}

/**
 * A movement is due if it is older than so many days, money that moved later is settled, and so is money of its kind that moved before it
 * or within a day after.
 */
export function dueRanges(bounds: ReadonlyMap<string, Bound>, now: number, days: number): DueRange[] {
  if (days === 0) return [];
  const last = Math.max(...[...bounds.values()].map((bound) => bound.last));
  const ends = Math.min(now - days * DAY_MS, last);
  return [...bounds.values()]
    .map(({ part, currency, method, first }) => ({ part, currency, method, begins: first - DAY_MS, ends }))
    .filter(({ begins }) => begins < ends);
}

/** The stretch of time in which more is due than was looked at; undefined where nothing is. */
export function grown(
  ranges: readonly DueRange[],
  looked: readonly DueRange[],
): { from: number; to: number } | undefined {
  const stretches = ranges.flatMap((range) => {
    const before = looked.find((one) => keyOf(one) === keyOf(range));
    if (!before) return [{ from: range.begins, to: range.ends }];
    return [
      { from: range.begins, to: before.begins },
      { from: before.ends, to: range.ends },
    ].filter(({ from, to }) => from < to);
  });
  if (stretches.length === 0) return undefined;
  return {
    from: Math.min(...stretches.map(({ from }) => from)),
    to: Math.max(...stretches.map(({ to }) => to)),
  };
}
