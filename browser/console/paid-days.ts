import type { OverviewDto } from '../generated/api.js';
import { daysBefore } from './times.js';

/** What was paid on one day. */
export interface PaidDay {
  day: string;
  count: number;
  amount: string;
}

const DAYS = 30;

/** The last 30 days in order, with those on which nothing was paid. Pure. */
export function paidDays(paid: OverviewDto['paid'], currency: string, today: string): PaidDay[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = daysBefore(today, DAYS - 1 - index);
    const found = paid.find((entry) => entry.day === day && entry.currency === currency);
    return { day, count: found?.count ?? 0, amount: found?.captured ?? '0' };
  });
}

/** The heights of a curve, each between 0 and 1. Pure. */
export function heights(days: readonly PaidDay[]): number[] {
  const most = Math.max(...days.map(({ amount }) => Number(amount)));
  return days.map(({ amount }) => (most === 0 ? 0 : Number(amount) / most));
}
