import type { DifferenceRecord } from '../../store/schema.js';
import type { MovementRowType } from '../files/report-row.js';
import { sizeOf, type KeptRow } from './kept-row.js';

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
