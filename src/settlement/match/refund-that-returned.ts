import { amountsIn } from '../files/report-row.js';
import { endOfDay, type KeptRow } from './kept-row.js';
import type { KnownMoney, KnownMovement } from './known-money.js';
import { undoneOf } from './undone.js';

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
