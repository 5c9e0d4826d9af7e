import { minorDigits } from '../../money/money.js';
import type { MovementRow } from '../files/report-row.js';

/** A row of a report that counts, as it is kept: what all reports say of a payment is held against what is known of it. */
export type KeptRow = Omit<MovementRow, 'payout'> & {
  readonly settlementId: string;
  /** Which it is among the rows of its file that equal it, from 1. */
  readonly nth: number;
};

const NONE: Evidence['again'] = new Map();

/** The rows of one payment by all reports. */
export interface Evidence {
  /** One for each, however many reports have it, as the gateway settled them. */
  readonly rows: readonly KeptRow[];
  /** A row that was seen again, and the one that it equals. */
  readonly again: ReadonlyMap<KeptRow, KeptRow>;
}

/**
 * Tells rows that are seen again from new ones. A row that is in a file so many times was settled so many times; the same rows in another
 * file are those. The one of the report that came first stands for all of them. Pure.
 */
export function evidenceOf(rows: readonly KeptRow[]): Evidence {
  if (rows.length < 2) return { rows, again: NONE };
  const first = new Map<string, KeptRow>();
  const again = new Map<KeptRow, KeptRow>();
  for (const row of rows.toSorted(byUpload)) {
    const key = `${row.identity} ${row.nth}`;
    const before = first.get(key);
    if (before) again.set(row, before);
    else first.set(key, row);
  }
  return { rows: [...first.values()].sort(byTime), again };
}

/** Ids of reports are in the order of their upload. Pure. */
export function byUpload(one: KeptRow, other: KeptRow): number {
  if (one.settlementId !== other.settlementId) return one.settlementId < other.settlementId ? -1 : 1;
  return one.line - other.line;
}

/** As the gateway settled them, and of those that it settled at once the largest first, so that little depends on the files. Pure. */
function byTime(one: KeptRow, other: KeptRow): number {
  const [at, then] = [settledBy(one), settledBy(other)];
  if (at !== then) return at - then;
  const [size, than] = [sizeOf(one), sizeOf(other)];
  if (size !== than) return size > than ? -1 : 1;
  // What is left of two such rows is of the same amount, whichever it is: then it is the one that came later.
  return byUpload(one, other);
}

function settledBy({ settledAt }: KeptRow): number {
  return settledAt?.until ?? Number.MAX_SAFE_INTEGER;
}

/** No amount in a file has more decimals. */
const MOST_DECIMALS = 6;

/**
 * What an amount comes to, however it is written, to be compared with others: files of one gateway may count in different units. Without a
 * currency minor units are compared with each other alone. Pure.
 */
export function sizeOf({
  amount: { digits, decimals },
  currency,
}: Pick<KeptRow, 'amount' | 'currency'>): bigint {
  const places = decimals ?? (currency === null ? 0 : (minorDigits(currency) ?? 0));
  return digits * 10n ** BigInt(MOST_DECIMALS - places);
}

const DAY_MS = 24 * 3_600_000;

/** The end of the day (UTC) in which a row was settled; undefined where it does not say. Pure. */
export function endOfDay({ settledAt }: KeptRow): number | undefined {
  return settledAt === null ? undefined : Math.floor(settledAt.until / DAY_MS) * DAY_MS + DAY_MS - 1;
}
