import { DAY_MS, type TimeZone } from '../../calendar/time-zone.js';
import type { StoreKind } from '../../store/schema.js';

export const SUMMARY_KEYS = ['day', 'month', 'method', 'currency'] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

export interface Range {
  from: number;
  to: number;
}

/** An expression whose values part rows as a summary wants them: the local day of a column as a number, the method, or nothing. */
export function bucketSql(by: SummaryKey, column: string, { from, to }: Range, zone: TimeZone): string {
  if (by === 'method') return 'method';
  if (by === 'currency') return `''`;
  const [first, ...later] = zone.offsetsBetween(from, to);
  // Constants of ours.
  const offset = later.reduce(
    (before, { from: at, offset: ahead }) => `case when ${column} >= ${at} then ${ahead} else ${before} end`,
    String(first?.offset ?? 0),
  );
  return `(${column} + ${offset}) / ${DAY_MS}`;
}

/** An expression: what a summary calls its `bucket`. */
export function bucketName(by: SummaryKey, kind: StoreKind): string {
  if (by === 'method' || by === 'currency') return 'bucket';
  const day =
    kind === 'embedded'
      ? `date(bucket * 86400, 'unixepoch')`
      : `to_char(date '1970-01-01' + cast(bucket as integer), 'YYYY-MM-DD')`;
  return by === 'day' ? day : `substr(${day}, 1, 7)`;
}
