import { LINES, type Judged, type Part } from './parts.js';

export const DIFFERENCE_KINDS = [
  ...(['unknown_here', 'not_paid_here', 'refund_unknown_here', 'chargeback_unknown_here'] as const),
  ...([
    'currency_differs',
    'settled_twice',
    'amount_differs',
    'refund_differs',
    'chargeback_differs',
  ] as const),
  ...(['not_settled', 'payout_differs'] as const),
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
  expected: bigint | null;
  expectedCurrency: string | null;
  found: bigint | null;
}

/** A difference as it is kept. */
export interface Difference extends Found {
  id: string;
  state: 'open' | 'closed';
  /** A person closed it, and since then it is no longer found. */
  gone: boolean;
  foundAt: number;
  note: string | null;
  closedBy: string | null;
  closedAt: number | null;
  reason: ClosingReason | null;
}

/** Names what differs. */
export function foundOf(judged: Judged): Found {
  const { ref, part, currency, payment, reference, movement, place } = judged;
  const here = judged.here === null ? null : BigInt(judged.here);
  const there = judged.there === null ? null : BigInt(judged.there);
  return {
    kind: kindOf(judged, here, there),
    ...{ ref, part, currency, reference, paymentId: payment, movementId: movement },
    report: place === null ? null : Math.floor(place / LINES),
    line: place === null ? null : place % LINES,
    expected: payment === null ? null : (here ?? 0n),
    expectedCurrency: payment === null ? null : (judged.here_currency ?? currency),
    found: there,
  };
}

function kindOf(judged: Judged, here: bigint | null, there: bigint | null): DifferenceKind {
  const { part, currency, payment, here_currency: own, twice } = judged;
  if (there === null) return 'not_settled';
  if (here === null) {
    if (part !== 'sale') return `${part}_unknown_here`;
    return payment === null ? 'unknown_here' : 'not_paid_here';
  }
  if (own !== currency) return 'currency_differs';
  if (part !== 'sale') return `${part}_differs`;
  return twice === 1 ? 'settled_twice' : 'amount_differs';
}

/** Whether two say the same: what a person closed stays closed then. */
export function saysTheSame(one: Found, other: Found): boolean {
  return (
    one.kind === other.kind &&
    one.expected === other.expected &&
    one.expectedCurrency === other.expectedCurrency &&
    one.found === other.found
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
  const open = { state: 'open' as const, gone: false, closedBy: null, closedAt: null, reason: null };
  if (!found) {
    if (!stored || stored.gone) return undefined;
    if (stored.state === 'open') return { ...stored, state: 'closed', gone: true, closedAt: now };
    return { ...stored, gone: true };
  }
  if (!stored) return { ...found, ...open, id: id(), foundAt: now, note: null };
  const stays = saysTheSame(stored, found) && !stored.gone;
  const moved = stored.report !== found.report || stored.line !== found.line;
  const other = stored.paymentId !== found.paymentId || stored.movementId !== found.movementId;
  if (stays) return moved || other ? { ...stored, ...found } : undefined;
  return { ...stored, ...found, ...open };
}
