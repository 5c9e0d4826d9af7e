import type { Part } from './parts.js';

export const DIFFERENCE_KINDS = [
  ...(['unknown_here', 'not_paid_here', 'refund_unknown_here', 'chargeback_unknown_here'] as const),
  ...(['currency_differs', 'settled_twice', 'amount_differs', 'refund_differs'] as const),
  ...(['chargeback_differs', 'not_settled', 'payout_differs'] as const),
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export const CLOSING_REASONS = ['gateway_corrected', 'written_off', 'explained', 'duplicate'] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** What is found of one payment, part and currency, or of one payout. Amounts are minor units. */
export interface Found {
  kind: DifferenceKind;
  /** The gateway's reference, or the payout's name. */
  ref: string;
  part: Part | 'payout';
  currency: string;
  /** Of the newest row. */
  report: number | null;
  line: number | null;
  /** The order's. */
  reference: string | null;
  paymentId: string | null;
  movementId: string | null;
  expected: string | null;
  expectedCurrency: string | null;
  found: string | null;
}

/** A difference as it is kept. */
export interface Difference extends Found {
  id: string;
  state: 'open' | 'closed';
  /** 1: it is closed and no longer found. */
  gone: number;
  foundAt: number;
  note: string | null;
  closedBy: string | null;
  closedAt: number | null;
  reason: ClosingReason | null;
}

/** Whether two say the same: what a person closed stays closed then. */
export function saysTheSame(one: Found, other: Found): boolean {
  return (['kind', 'expected', 'expectedCurrency', 'found'] as const).every(
    (name) => one[name] === other[name],
  );
}

/** Where the report says of a payment what the gateway has not said yet. */
export function needsAsking({ kind, paymentId }: Found): boolean {
  return paymentId !== null && (kind === 'not_paid_here' || /^(?:refund|chargeback)_/.test(kind));
}

/** A difference after it was looked for; undefined where nothing changes. `id` names a new one. */
export function followed(
  stored: Difference | undefined,
  found: Found | undefined,
  now: number,
  id: () => string,
): Difference | undefined {
  const open = { state: 'open' as const, gone: 0, closedBy: null, closedAt: null, reason: null };
  if (!found) {
    if (!stored || stored.gone === 1) return undefined;
    return { ...stored, state: 'closed', gone: 1, closedAt: stored.closedAt ?? now };
  }
  if (!stored) return { ...found, ...open, id: id(), foundAt: now, note: null };
  if (stored.gone === 1 || !saysTheSame(stored, found)) return { ...stored, ...found, ...open };
  const stays = (['report', 'line', 'paymentId', 'movementId'] as const).every(
    (name) => stored[name] === found[name],
  );
  return stays ? undefined : { ...stored, ...found };
}
