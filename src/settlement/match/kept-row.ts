import { minorDigits } from '../../money/money.js';
import type { MovementRow, MovementRowType } from '../files/report-row.js';
import type { DifferenceRecord } from '../../store/schema.js';

/** A row of a report that counts, as it is kept: what all reports say of a payment is held against what is known of it. */
export type KeptRow = MovementRow & {
  readonly settlementId: string;
  /** Which it is among the rows of its file that equal it, from 1. */
  readonly nth: number;
};

const NONE: Omit<Evidence, 'rows'> = { again: new Map(), tells: new Set(), completed: new Map() };

/** The rows of one payment by all reports. */
export interface Evidence {
  /** One for each, however many reports have it, as the gateway settled them. */
  readonly rows: readonly KeptRow[];
  /** A row that was seen again, and the one of `rows` that it equals. */
  readonly again: ReadonlyMap<KeptRow, KeptRow>;
  /** Those of them that say something that the rows before them left open. */
  readonly tells: ReadonlySet<KeptRow>;
  /** A row that lacked what they say, and the one of `rows` that it is with that. */
  readonly completed: ReadonlyMap<KeptRow, KeptRow>;
}

/**
 * Tells rows that are seen again from new ones. A row that is in a file so many times was settled so many times; the same rows in another
 * file are those. The one of the report that came first stands for all of them, with the fee and the net that only a later one may say. Pure.
 */
export function evidenceOf(rows: readonly KeptRow[]): Evidence {
  if (rows.length < 2) return { rows, ...NONE };
  const equal = Map.groupBy(rows.toSorted(byUpload), ({ identity, nth }) => `${identity} ${nth}`);
  const standing: KeptRow[] = [];
  const again = new Map<KeptRow, KeptRow>();
  const tells = new Set<KeptRow>();
  const completed = new Map<KeptRow, KeptRow>();
  for (const [first, ...copies] of equal.values()) {
    if (!first) continue;
    let whole = first;
    for (const copy of copies) {
      const more = withMore(whole, copy);
      if (more !== whole) tells.add(copy);
      whole = more;
    }
    if (whole !== first) completed.set(first, whole);
    for (const copy of copies) again.set(copy, whole);
    standing.push(whole);
  }
  return { rows: standing.sort(byTime), again, tells, completed };
}

/** A row with what it leaves open and its copy says. */
function withMore(row: KeptRow, { fee, net, payout }: KeptRow): KeptRow {
  const hasAmounts = row.fee !== null || row.net !== null || (fee === null && net === null);
  const hasPayout = row.payout !== null || payout === null;
  if (hasAmounts && hasPayout) return row;
  return { ...row, ...(!hasAmounts && { fee, net }), ...(!hasPayout && { payout }) };
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

/** What rows are about that versions before 0.3.0 found to differ, and have not kept. */
const TYPES: Readonly<Record<string, MovementRowType>> = {
  amount_differs: 'payment',
  currency_differs: 'payment',
  not_paid_here: 'payment',
  unknown_here: 'payment',
  refund_unknown_here: 'refund',
  chargeback_unknown_here: 'chargeback',
};

/**
 * The rows of open differences whose reports were compared by a version before 0.3.0, as far as the differences say what stood there.
 * `kept`: the rows that are kept of the same payment. Pure.
 */
export function formerRows(differences: readonly DifferenceRecord[], kept: readonly KeptRow[]): KeptRow[] {
  return differences.flatMap((difference) => {
    const { kind, state, reference, settlementId, line, transactionRef, settledAt } = difference;
    const { foundAmount: digits, foundDecimals: decimals, foundCurrency: currency } = difference;
    const type = TYPES[kind];
    if (!type || settlementId === null || line === null || digits === null) return [];
    if (state === 'closed' || isKept(difference, kept)) return [];
    const row: KeptRow = {
      ...{
        settlementId,
        line,
        nth: 1,
        type,
        reference,
        transactionRef,
        currency,
        refundRef: null,
        payout: null,
        fee: null,
        net: null,
      },
      amount: { digits, decimals },
      settledAt: settledAt === null ? null : { from: settledAt, until: settledAt },
      identity: `${settlementId} ${line}`,
    };
    const same = kept.find((one) => says(one) === says(row));
    return [{ ...row, ...(same && { identity: same.identity }) }];
  });
}

/** Whether only a person can close a difference: a version before 0.3.0 has found that a row is there twice, and has kept neither. Pure. */
export function isOfFormerRow(difference: DifferenceRecord, kept: readonly KeptRow[]): boolean {
  return difference.kind === 'settled_twice' && !isKept(difference, kept);
}

function isKept({ settlementId, line }: DifferenceRecord, kept: readonly KeptRow[]): boolean {
  return kept.some((row) => row.settlementId === settlementId && row.line === line);
}

function says({ type, transactionRef, currency, settledAt, ...row }: KeptRow): string {
  return [type, transactionRef, currency, settledAt?.from, sizeOf({ ...row, currency })].join(' ');
}
