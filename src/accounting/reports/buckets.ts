import { DAY_MS, dayText, type TimeZone } from '../../calendar/time-zone.js';

export const SUMMARY_KEYS = ['day', 'month', 'method', 'currency'] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** An expression whose values part rows as a summary wants them: the local day of a column, its method, or nothing. */
export function bucketSql(
  by: SummaryKey,
  table: string,
  column: string,
  range: Range,
  zone: TimeZone,
): string {
  if (by === 'method') return `${table}.method`;
  if (by === 'currency') return `''`;
  const [first, ...later] = zone.offsetsBetween(range.from, range.to);
  const at = `${table}.${column}`;
  // Constants of ours.
  const offset = later.reduce(
    (before, { from, offset: ahead }) => `case when ${at} >= ${from} then ${ahead} else ${before} end`,
    String(first?.offset ?? 0),
  );
  return `(${at} + ${offset}) / ${DAY_MS}`;
}

export interface Range {
  from: number;
  to: number;
}

/** What a bucket is called in a summary. */
export function bucketName(by: SummaryKey, bucket: string | number): string {
  if (by === 'method') return String(bucket);
  if (by === 'currency') return '';
  const day = dayText(Number(bucket));
  return by === 'day' ? day : day.slice(0, 7);
}
