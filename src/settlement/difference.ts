/** What a settlement report can say otherwise than the store. */
export const REPORT_DIFFERENCES = [
  'amount_differs',
  'not_paid_here',
  'unknown_here',
  'missing_there',
  'twice_there',
  'refund_unknown_here',
  'chargeback_unknown_here',
] as const;

/** What the merchant's own list can. */
export const ORDER_DIFFERENCES = ['order_not_paid', 'order_paid_twice', 'order_unknown'] as const;

export const DIFFERENCE_KINDS = [...REPORT_DIFFERENCES, ...ORDER_DIFFERENCES] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/**
 * What is done about a difference. `to_ask`: the gateway will be asked; `asked`: it was, and has its time to confirm; `confirmed`;
 * `unconfirmed`: it did not, and the payment needs attention. `to_adopt`: a person wants it taken over; `adopted`; `adopted_on_word`:
 * the gateway has not said that it was paid, so the payment waits for its word or another person's; `left_…`: it was not taken over, and why.
 */
export const DIFFERENCE_STATES = [
  'to_ask',
  'asked',
  'confirmed',
  'unconfirmed',
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
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/** A count of each of these kinds. */
export function noneOf(kinds: readonly DifferenceKind[]): Record<string, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, 0]));
}
