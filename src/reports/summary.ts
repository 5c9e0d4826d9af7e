import type { Total } from './totals.repository.js';

/** What a summary is by. */
export const SUMMARY_KEYS = ['day', 'month', 'method', 'currency'] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** Totals put together by one of their members, and by status and currency, in the order of those. Pure. */
export function summarize(totals: readonly Total[], by: SummaryKey): Total[] {
  const sums = new Map<string, Total>();
  for (const total of totals) {
    const key = [total[by], total.currency, total.status].join(' ');
    const sum = sums.get(key);
    sums.set(key, sum ? plus(sum, total) : total);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function plus(one: Total, other: Total): Total {
  return {
    ...one,
    count: one.count + other.count,
    amount: one.amount + other.amount,
    captured: one.captured + other.captured,
    refunded: one.refunded + other.refunded,
  };
}
