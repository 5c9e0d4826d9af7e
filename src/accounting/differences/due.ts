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

const isSame = (one: Money, other: Money): boolean =>
  one.part === other.part && one.currency === other.currency && one.method === other.method;

/** The bounds widened by those of more payments. Money once settled stays settled. */
export function widened(bounds: readonly Bound[], more: readonly Bound[]): Bound[] {
  return more.reduce<Bound[]>(
    (all, { part, currency, method, first, last }) => {
      const own = { part, currency, method };
      const known = all.find((one) => isSame(one, own)) ?? { first, last };
      const wide = { ...own, first: Math.min(known.first, first), last: Math.max(known.last, last) };
      return [...all.filter((one) => !isSame(one, own)), wide];
    },
    [...bounds],
  );
}

/**
 * A movement is due if it is older than so many days, money that moved later is settled, and so is money of its kind that moved before it
 * or within a day after.
 */
export function dueRanges(bounds: readonly Bound[], now: number, days: number): DueRange[] {
  if (days === 0) return [];
  const ends = Math.min(now - days * DAY_MS, Math.max(...bounds.map(({ last }) => last)));
  return bounds
    .map(({ part, currency, method, first }) => ({ part, currency, method, begins: first - DAY_MS, ends }))
    .filter(({ begins }) => begins < ends);
}

/** The stretch of time in which more is due than was looked at; undefined where nothing is. */
export function grown(
  ranges: readonly DueRange[],
  looked: readonly DueRange[],
): { from: number; to: number } | undefined {
  const stretches = ranges.flatMap((range) => {
    const before = looked.find((one) => isSame(one, range)) ?? { begins: range.ends, ends: range.ends };
    const [earlier, later] = [
      { from: range.begins, to: before.begins },
      { from: before.ends, to: range.ends },
    ];
    return [earlier, later].filter(({ from, to }) => from < to);
  });
  if (stretches.length === 0) return undefined;
  const [froms, tos] = [stretches.map(({ from }) => from), stretches.map(({ to }) => to)];
  return { from: Math.min(...froms), to: Math.max(...tos) };
}
