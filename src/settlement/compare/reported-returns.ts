import { hash } from 'node:crypto';
import type { SettlementReturnRecord } from '../../store/schema.js';
import type { KnownPayment } from '../store/known-payments.js';
import { amountIn, type ComparedRow } from './compare-row.js';

/** A row that says that money went back. */
export type ReturnRow = ComparedRow & { readonly type: SettlementReturnRecord['kind'] };

export function isReturn(row: ComparedRow): row is ReturnRow {
  return row.type !== 'payment';
}

/** The row as it is kept, to be held against the rows of other reports. Pure. */
export function toReturn(settlementId: string, row: ReturnRow): SettlementReturnRecord {
  const { reference, type, transactionRef, amount, currency, settledAt } = row;
  const { digits, decimals } = amount;
  const said = [
    reference,
    type,
    transactionRef,
    digits,
    decimals,
    currency,
    settledAt?.from,
    settledAt?.until,
  ];
  return {
    ...{ settlementId, line: row.line, reference, kind: type },
    identity: hash('sha256', said.join('\u001f')).slice(0, 32),
    ...{ amount: digits, decimals, currency },
  };
}

/**
 * What all reports together say has gone back of a payment before a row, in minor units, by what is kept of its reference. Equal rows of two reports are one movement, equal
 * rows of one report are two. Undefined where an earlier report has this very row. Pure.
 */
export function returnedBefore(
  row: SettlementReturnRecord,
  kept: readonly SettlementReturnRecord[],
  payment: Pick<KnownPayment, 'currency'> | undefined,
): bigint | undefined {
  const movements = movementsOf(
    kept.filter(({ kind }) => kind === row.kind),
    payment,
  );
  const times = movements.get(row.identity)?.times ?? new Map<string, number>();
  const here = times.get(row.settlementId) ?? 0;
  if (most(times) > here) return undefined;
  let sum = 0n;
  for (const movement of movements.values()) sum += movement.each * BigInt(most(movement.times));
  return sum;
}

/** How many refunds reports name under a reference, equal rows of two reports being one, and their sum in minor units. Pure. */
export function reportedRefunds(
  kept: readonly SettlementReturnRecord[],
  currency: string,
): { rows: number; amount: bigint } {
  let [rows, amount] = [0, 0n];
  for (const { each, times } of movementsOf(kept, { currency }).values()) {
    rows += most(times);
    amount += each * BigInt(most(times));
  }
  return { rows, amount };
}

interface Movement {
  /** Minor units; none where it is of another currency. */
  readonly each: bigint;
  /** How often each report names it. */
  readonly times: Map<string, number>;
}

/** Rows that say the same are one movement, as often as the report says it that does so most often. */
function movementsOf(
  kept: readonly SettlementReturnRecord[],
  payment: Pick<KnownPayment, 'currency'> | undefined,
): Map<string, Movement> {
  const movements = new Map<string, Movement>();
  for (const { identity, settlementId, amount: digits, decimals, currency } of kept) {
    const each = payment ? amountIn({ amount: { digits, decimals }, currency }, payment) : undefined;
    const movement = movements.get(identity) ?? { each: each ?? 0n, times: new Map<string, number>() };
    movement.times.set(settlementId, (movement.times.get(settlementId) ?? 0) + 1);
    movements.set(identity, movement);
  }
  return movements;
}

function most(times: ReadonlyMap<string, number>): number {
  return Math.max(0, ...times.values());
}
