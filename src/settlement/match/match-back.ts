import { endOfDay, type KeptRow } from './kept-row.js';
import { type KnownMovement, type KnownRefund, type KnownMoney, undoneOf } from './known-money.js';
import { type Matching, type SizedRow, partsOf } from './matching.js';
import { amountsIn } from '../files/report-row.js';

/** Matches rows with movements of the same amount, those of the same transaction first. Returns the rows that are left. */
export function matchEqual(
  rows: readonly SizedRow[],
  movements: readonly KnownMovement[],
  matching: Matching,
): SizedRow[] {
  if (rows.length === 0) return [];
  const sameTransaction = (row: SizedRow, { transactionRef }: KnownMovement): boolean =>
    transactionRef !== null && transactionRef === row.row.transactionRef;
  const others = matchWhere(rows, movements, sameTransaction, matching);
  return matchWhere(others, movements, () => true, matching);
}

/**
 * The same for those movements alone that fit a row. Of several the newest at or before the row's day, else the oldest; one that was undone
 * only where there is no other.
 */
function matchWhere(
  rows: readonly SizedRow[],
  movements: readonly KnownMovement[],
  fits: (row: SizedRow, movement: KnownMovement) => boolean,
  matching: Matching,
): SizedRow[] {
  return rows.filter((one) => {
    const free = movements.filter(
      (movement) => matching.isFree(movement) && movement.amount === one.gross && fits(one, movement),
    );
    const lasting = free.filter((movement) => !matching.isUndone(movement));
    const some = lasting.length > 0 ? lasting : free;
    const day = endOfDay(one.row);
    const movement = some.findLast(({ at }) => day !== undefined && at <= day) ?? some[0];
    if (movement) matching.match(one, movement);
    return !movement;
  });
}

/**
 * Matches refunds one to one: by their name, else by amount. `refunds` are those that were asked for here. Returns the rows that are
 * left.
 */
export function matchRefunds(
  rows: readonly SizedRow[],
  movements: readonly KnownMovement[],
  refunds: readonly KnownRefund[],
  matching: Matching,
): SizedRow[] {
  if (rows.length === 0) return [];
  const isNamed = ({ row: { refundRef } }: SizedRow): boolean =>
    refundRef !== null &&
    (movements.some((one) => one.refundRef === refundRef) ||
      refunds.some((one) => one.refundRef === refundRef));
  const named = rows.filter(isNamed);
  const left = matchWhere(
    named,
    movements,
    ({ row }, { refundRef }) => refundRef === row.refundRef,
    matching,
  );
  const open = left.filter((one) => !nameRefund(one, movements, refunds, matching));
  return [
    ...open,
    ...matchSums(
      matchEqual(
        rows.filter((one) => !isNamed(one)),
        movements,
        matching,
      ),
      movements,
      matching,
    ),
  ];
}

/** A row whose refund is known by name, and is settled already or of another amount. Says whether it was told to differ. */
function nameRefund(
  { row, gross }: SizedRow,
  movements: readonly KnownMovement[],
  refunds: readonly KnownRefund[],
  matching: Matching,
): boolean {
  const own = movements.filter(({ refundRef }) => refundRef === row.refundRef);
  const movement = own.find((one) => matching.isFree(one)) ?? own[0];
  const expected = movement?.amount ?? refunds.find(({ refundRef }) => refundRef === row.refundRef)?.amount;
  if (movement && gross === expected) matching.find('settled_twice', row, { movement });
  else if (gross !== expected)
    matching.find('refund_differs', row, {
      ...(movement && { movement }),
      ...(expected !== undefined && { expected }),
    });
  else return false;
  return true;
}

/** Chargebacks, or those that were won: by amount, and what is left on both sides one by one, which differ. */
export function matchChargebacks(
  rows: readonly SizedRow[],
  movements: readonly KnownMovement[],
  matching: Matching,
): void {
  for (const { row } of matchSums(matchEqual(rows, movements, matching), movements, matching)) {
    const movement = movements.find((one) => matching.isFree(one));
    if (movement) matching.find('chargeback_differs', row, { movement, expected: movement.amount });
    else matching.find('chargeback_unknown_here', row);
  }
}

/**
 * The gateway may have said a sum where it moved money more than once, or the other way round: rows that come to a movement which nobody
 * asked for here, and movements that come to a row. Returns the rows that are left.
 */
function matchSums(
  rows: readonly SizedRow[],
  movements: readonly KnownMovement[],
  matching: Matching,
): readonly SizedRow[] {
  if (rows.length === 0) return rows;
  let left = rows;
  const free = (): readonly (KnownMovement & { gross: bigint })[] =>
    movements
      .filter((one) => one.refundRef === null && matching.isFree(one) && !matching.isUndone(one))
      .map((one) => ({ ...one, gross: one.amount }));
  for (const movement of free()) {
    const parts = partsOf(left, movement.amount);
    if (!parts) continue;
    matching.allocate(parts, [movement]);
    left = left.filter((row) => !parts.includes(row));
  }
  return left.filter((row) => {
    const parts = partsOf(free(), row.gross);
    if (parts) matching.allocate([row], parts);
    return !parts;
  });
}

/**
 * The refund of ours that a row says came back: the one that it names, otherwise one of its amount, as the row of a refund is matched. One that
 * is known to have come back is none; `taken` are refunds that other rows already speak of. Undefined where there is none. Pure.
 */
export function refundThatReturned(
  row: KeptRow,
  { payment, movements }: KnownMoney,
  taken: ReadonlySet<string>,
): KnownMovement | undefined {
  const gross = amountsIn(row, payment.currency)?.gross;
  const undone = undoneOf(movements);
  const lasting = movements.filter(
    (one) => one.kind === 'refund' && one.refundId !== null && !undone.has(one) && !taken.has(one.refundId),
  );
  const isNamed =
    row.refundRef !== null &&
    movements.some(({ kind, refundRef }) => kind === 'refund' && refundRef === row.refundRef);
  const own = lasting
    .filter(({ amount, refundRef }) => amount === gross && (!isNamed || refundRef === row.refundRef))
    .sort(byTime);
  const sameTransaction = own.filter(
    ({ transactionRef }) => transactionRef !== null && transactionRef === row.transactionRef,
  );
  const some = sameTransaction.length > 0 ? sameTransaction : own;
  const day = endOfDay(row);
  return some.findLast(({ at }) => day !== undefined && at <= day) ?? some[0];
}

function byTime(one: KnownMovement, other: KnownMovement): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.id < other.id ? -1 : 1;
}
