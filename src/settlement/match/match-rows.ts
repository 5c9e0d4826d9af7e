import { amountsIn } from '../files/report-row.js';
import { byUpload, sizeOf, type KeptRow } from './kept-row.js';
import { capturedOf, type KnownMoney, type KnownMovement, undoneOf } from './known-money.js';
import { Matching, type Finding, type Match, type SizedRow, partsOf } from './matching.js';
import { matchChargebacks, matchEqual, matchRefunds, refundThatReturned } from './match-back.js';

/** What the rows of one payment settle, and what they say otherwise than the ledger. */
export interface Matched {
  readonly matches: readonly Match[];
  readonly findings: readonly Finding[];
  /** What was taken or given and reversed again, and the reversals: nothing of it is here, and nothing is missing. */
  readonly canceled: readonly KeptRow[];
}

/**
 * Matches all that reports say of one payment with all that is known of it. Depends on the rows alone and not on the files that they came
 * in: whatever was known first, the same rows and the same movements come to the same. `rows` are those of `evidenceOf`. Pure.
 */
export function matchRows(rows: readonly KeptRow[], known: KnownMoney | undefined): Matched {
  const matching = new Matching(known?.payment.currency ?? null, undoneOf(known?.movements ?? []));
  if (known) matchKnown(rows, known, matching);
  else nameUnknown(rows, matching);
  cancelReversed(
    matching,
    (row) =>
      row.type === 'refundReversal' &&
      known !== undefined &&
      refundThatReturned(row, known, NONE) !== undefined,
  );
  return matching;
}

function matchKnown(rows: readonly KeptRow[], known: KnownMoney, matching: Matching): void {
  const { payment, movements, refunds } = known;
  if (matchPlainSale(rows, known, matching)) return;
  const sized = new Map<KeptRow, SizedRow>();
  for (const row of rows) {
    const amounts = amountsIn(row, payment.currency);
    if (amounts) sized.set(row, { row, ...amounts });
  }
  const own = Map.groupBy(sized.values(), ({ row }) => row.type);
  const of = (type: KeptRow['type']): readonly SizedRow[] => own.get(type) ?? [];
  const kinds = Map.groupBy(movements.toSorted(byTime), ({ kind }) => kind);
  const moved = (kind: KnownMovement['kind']): readonly KnownMovement[] => kinds.get(kind) ?? [];

  // Before what they undo: see `isUndone`.
  for (const { row } of matchRefunds(of('refundReversal'), moved('refund_reversal'), [], matching))
    matching.find('refund_unknown_here', row);
  matchChargebacks(of('chargebackReversal'), moved('chargeback_reversal'), matching);
  const reversals = matchEqual(of('paymentReversal'), moved('void'), matching);
  const unknownRefunds = matchRefunds(of('refund'), moved('refund'), refunds, matching);
  const unknownReversals = matchEqual(reversals, moved('refund'), matching);
  // A refund of the whole of a payment that was reversed is its reversal.
  const otherRefunds = matchEqual(unknownRefunds, moved('void'), matching);
  const isReversedUnpaid = payment.status === 'voided' && moved('payment').length === 0;
  const left = matchSales(
    {
      sales: of('payment'),
      back: isReversedUnpaid ? [...unknownReversals, ...otherRefunds] : unknownReversals,
    },
    { sale: moved('payment')[0], corrections: moved('correction') },
    matching,
  );
  for (const { row } of isReversedUnpaid ? left : [...left, ...otherRefunds])
    matching.find('refund_unknown_here', row);
  matchChargebacks(of('chargeback'), moved('chargeback'), matching);
  for (const row of rows) if (!sized.has(row)) nameOtherCurrency(row, movements, matching);
}

/** A sale that one row settles, and nothing else: nearly all of them, so it comes to nothing that need be collected. */
function matchPlainSale(
  rows: readonly KeptRow[],
  { payment, movements }: KnownMoney,
  matching: Matching,
): boolean {
  const [row, otherRow] = rows;
  const [sale, otherMovement] = movements;
  if (!row || otherRow || row.type !== 'payment') return false;
  if (!sale || otherMovement || sale.kind !== 'payment') return false;
  const amounts = amountsIn(row, payment.currency);
  if (amounts?.gross !== sale.amount) return false;
  matching.match({ row, ...amounts }, sale);
  return true;
}

/**
 * What reports say of the sale itself. A sale that was taken and reversed again, and that is not here, is no difference. Returns what
 * is left of the rows that say that money went back.
 */
function matchSales(
  { sales, back }: { sales: readonly SizedRow[]; back: readonly SizedRow[] },
  { sale, corrections }: { sale: KnownMovement | undefined; corrections: readonly KnownMovement[] },
  matching: Matching,
): readonly SizedRow[] {
  if (!sale) {
    const left = withoutReversed(sales, back, matching);
    nameEach(left.sales, 'not_paid_here', matching);
    return left.back;
  }
  const parts = [sale, ...corrections];
  const expected = capturedOf({ movements: parts });
  const whole = partsOf(sales, expected);
  if (whole) matching.allocate(whole, parts);
  const left = withoutReversed(
    sales.filter((one) => !whole?.includes(one)),
    back,
    matching,
  );
  const [first] = left.sales.map(({ row }) => row).sort(byUpload);
  if (whole) for (const { row } of left.sales) matching.find('settled_twice', row, { movement: sale });
  else if (first) {
    const sum = left.sales.reduce((all, { gross }) => all + gross, 0n);
    matching.find('amount_differs', first, { movement: sale, expected, sum });
  }
  return left.back;
}

/** Of a payment that is not here. */
function nameUnknown(rows: readonly KeptRow[], matching: Matching): void {
  const own = Map.groupBy(
    rows.map((row) => ({ row })),
    ({ row }) => row.type,
  );
  const of = (type: KeptRow['type']): readonly RowOf[] => own.get(type) ?? [];
  const { sales, back } = withoutReversed(of('payment'), of('paymentReversal'), matching);
  nameEach(sales, 'unknown_here', matching);
  for (const { row } of [...back, ...of('refund'), ...of('refundReversal')])
    matching.find('refund_unknown_here', row);
  for (const { row } of [...of('chargeback'), ...of('chargebackReversal')])
    matching.find('chargeback_unknown_here', row);
}

interface RowOf {
  readonly row: KeptRow;
}

/** Takes away each sale with a row that says that just it went back. */
function withoutReversed<T extends RowOf>(
  sales: readonly T[],
  back: readonly T[],
  matching: Matching,
): { sales: T[]; back: T[] } {
  const left = [...sales];
  const rest = back.filter(({ row }) => {
    const at = left.findIndex((sale) => amountKey(sale.row) === amountKey(row));
    const [sale] = at < 0 ? [] : left.splice(at, 1);
    if (sale) matching.canceled.push(sale.row, row);
    return !sale;
  });
  return { sales: left, back: rest };
}

/** Sales of what was not paid here: a second one of the same amount is the same sale settled again. */
function nameEach(sales: readonly RowOf[], kind: 'unknown_here' | 'not_paid_here', matching: Matching): void {
  const named = new Map<string, KeptRow>();
  for (const { row } of sales) {
    const first = named.get(amountKey(row));
    matching.find(first ? 'settled_twice' : kind, row, { ...(first && { first }) });
    if (!first) named.set(amountKey(row), row);
  }
}

function amountKey(row: KeptRow): string {
  return `${sizeOf(row)} ${row.currency ?? ''}`;
}

/**
 * A row of another currency than its payment, or of an amount that its payment's currency does not have. Where it says that money went
 * back and names no refund of ours, such money is unknown here.
 */
function nameOtherCurrency(row: KeptRow, movements: readonly KnownMovement[], matching: Matching): void {
  const { type, refundRef, currency } = row;
  const isOther = currency !== null && currency !== matching.currency;
  const kind = isOther ? 'currency_differs' : 'amount_differs';
  const movement = movements.find((one) =>
    type === 'payment'
      ? one.kind === 'payment'
      : one.kind === 'refund' && one.refundRef === (refundRef ?? ''),
  );
  if (movement && (type === 'payment' || type === 'refund'))
    matching.find(kind, row, { movement, expected: movement.amount });
  else matching.find(UNKNOWN[type], row);
}

const REVERSED_BY: Readonly<Partial<Record<KeptRow['type'], KeptRow['type']>>> = {
  payment: 'paymentReversal',
  refund: 'refundReversal',
  chargeback: 'chargebackReversal',
};
const NONE: ReadonlySet<string> = new Set();

/**
 * Takes away what differs together with a row that says that just it was reversed: so a gateway corrects what it has settled wrongly. A row
 * that may say that a refund of ours came back says that, and corrects nothing.
 */
function cancelReversed(matching: Matching, isOurs: (row: KeptRow) => boolean): void {
  const open = matching.findings.filter(({ kind }) => kind !== 'settled_twice');
  for (const back of open) {
    const wrong = open.find(
      (one) =>
        REVERSED_BY[one.row.type] === back.row.type &&
        amountKey(one.row) === amountKey(back.row) &&
        (one.row.refundRef ?? back.row.refundRef) === (back.row.refundRef ?? one.row.refundRef) &&
        matching.findings.includes(one),
    );
    if (wrong && !isOurs(back.row)) matching.cancel(wrong, back);
  }
}

/** What a row is called of which nothing is known. */
const UNKNOWN: Readonly<Record<KeptRow['type'], Finding['kind']>> = {
  payment: 'not_paid_here',
  paymentReversal: 'refund_unknown_here',
  refund: 'refund_unknown_here',
  refundReversal: 'refund_unknown_here',
  chargeback: 'chargeback_unknown_here',
  chargebackReversal: 'chargeback_unknown_here',
};

/** In the order in which money moved. */
function byTime(one: KnownMovement, other: KnownMovement): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.id < other.id ? -1 : 1;
}
