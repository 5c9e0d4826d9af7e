/** What a settlement report can say otherwise than the ledger. */
export const REPORT_DIFFERENCES = [
  'amount_differs',
  'currency_differs',
  'not_paid_here',
  'unknown_here',
  'settled_twice',
  'refund_unknown_here',
  'refund_differs',
  'chargeback_unknown_here',
  'chargeback_differs',
  'fee_differs',
  'payout_differs',
] as const;
/** What the ledger has and no report, once it is old enough. */
export const NOT_SETTLED = 'not_settled';
/** What the merchant's own list can. */
export const ORDER_DIFFERENCES = ['order_not_paid', 'order_paid_twice', 'order_unknown'] as const;
export const DIFFERENCE_KINDS = [...REPORT_DIFFERENCES, NOT_SETTLED, ...ORDER_DIFFERENCES] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** What versions before 0.3.0 called some of them. */
export const FORMER_KINDS = { twice_there: 'settled_twice', missing_there: NOT_SETTLED } as const;
export type FormerKind = keyof typeof FORMER_KINDS;
export const FORMER_DIFFERENCE_KINDS = Object.keys(FORMER_KINDS) as readonly FormerKind[];

/** A kind by its present or its former name. */
export function presentKind(kind: DifferenceKind | FormerKind): DifferenceKind {
  return kind in FORMER_KINDS ? FORMER_KINDS[kind as FormerKind] : (kind as DifferenceKind);
}

/** Why a person closes a difference. */
export const CLOSING_REASONS = ['gateway_corrected', 'written_off', 'explained', 'duplicate'] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

export const DIFFERENCE_STATES = ['open', 'closed'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/**
 * What is done about a difference. `to_ask`: the gateway will be asked; `asked`: it was, and has its time to confirm; `unconfirmed`:
 * it did not, and the payment needs attention. `to_approve`: the gateway cannot be asked, so another person must approve what the report
 * claims. `to_adopt`: a person wants it taken over; `adopted`; `adopted_on_word`: the gateway has not
 * said that it was paid, so the payment waits for its word or another person's; `left_…`: it was not taken over, and why.
 */
export const DIFFERENCE_STEPS = [
  'to_ask',
  'asked',
  'unconfirmed',
  'to_approve',
  'to_adopt',
  'adopted',
  'adopted_on_word',
  'left_not_paid',
  'left_unknown',
  'left_given_back',
  'left_waiting',
  'left_held',
  'left_known',
  'left_reference',
  'left_currency',
] as const;
export type DifferenceStep = (typeof DIFFERENCE_STEPS)[number];

/** How many differences counts by kind come to. What has a former name too counts once. Pure. */
export function presentCounts(counts: Readonly<Record<string, number>>): [kind: string, count: number][] {
  return Object.entries(counts).filter(([kind, count]) => {
    if (!(kind in FORMER_KINDS)) return count > 0;
    // Versions before 0.3.0 counted by the former names alone.
    return count > 0 && counts[FORMER_KINDS[kind as FormerKind]] === undefined;
  });
}

/** A count of each of these kinds. */
export function noneOf(kinds: readonly string[]): Record<string, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, 0]));
}
