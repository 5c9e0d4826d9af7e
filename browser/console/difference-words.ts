import type { DifferencePage } from './api.js';

type Difference = DifferencePage['data'][number];

const KINDS: Record<Difference['kind'], string> = {
  amount_differs: 'Different amount in the report',
  not_paid_here: 'Settled there, not paid here',
  unknown_here: 'Settled there, unknown here',
  currency_differs: 'Different currency in the report',
  settled_twice: 'Settled twice',
  not_settled: 'In no report',
  missing_there: 'Paid here, missing in the report',
  twice_there: 'Twice in the report',
  refund_unknown_here: 'Refund unknown here',
  refund_differs: 'Different refund in the report',
  chargeback_unknown_here: 'Chargeback unknown here',
  chargeback_differs: 'Different chargeback in the report',
  fee_differs: 'Different fee than expected',
  payout_differs: 'Payout is not the sum of its rows',
  order_not_paid: 'Order listed as paid, not paid here',
  order_paid_twice: 'Order paid twice',
  order_unknown: 'Paid here, not listed as paid',
};

/** Every kind by its present name. */
export const ALL_KINDS = Object.keys(KINDS).filter(
  (kind) => kind !== 'missing_there' && kind !== 'twice_there',
);

/** A report counts some kinds by their former names as well. */
const FORMER = { twice_there: 'settled_twice', missing_there: 'not_settled' } as const;

const STEPS: Record<string, string> = {
  to_ask: 'the gateway will be asked',
  asked: 'the gateway is asked',
  unconfirmed: 'not confirmed: a person must look',
  to_approve: 'waits until another person approves it',
  to_adopt: 'to be taken over',
  adopted: 'taken over',
  adopted_on_word: 'taken over on a person’s word',
  left_not_paid: 'not taken over: the gateway says that it is not paid',
  left_unknown: 'not taken over: the gateway does not know it',
  left_given_back: 'not taken over: the gateway says that all of it was given back',
  left_waiting: 'not taken over: the gateway says that it is waiting',
  left_held: 'not taken over: the money is only held',
  left_known: 'not taken over: the payment is known by now',
  left_reference: 'not taken over: its reference cannot be read',
  left_currency: 'not taken over: its currency is unclear',
};

/** A kind of difference in a few words. */
export function kindWords(kind: string): string {
  return (KINDS as Record<string, string | undefined>)[kind] ?? kind.replaceAll('_', ' ');
}

const REASONS: Record<string, string> = {
  gateway_corrected: 'the gateway has corrected it',
  written_off: 'written off',
  explained: 'explained',
  duplicate: 'a duplicate',
};

/** What is done about a difference, or how it ended. */
export function differenceState({
  state,
  step,
  reason,
}: Pick<Difference, 'state' | 'step' | 'reason'>): string {
  if (state === 'open' || step?.startsWith('adopted'))
    return step === null ? '' : (STEPS[step] ?? step.replaceAll('_', ' '));
  return reason === null
    ? 'closed: it agrees now'
    : `closed: ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`;
}

/** How many differences a report has, by kind, each counted once. */
export function differenceCounts(counts: Readonly<Record<string, number>>): [kind: string, count: number][] {
  return Object.entries(counts).filter(([kind]) => {
    const name = (FORMER as Record<string, string | undefined>)[kind];
    return name === undefined || counts[name] === undefined;
  });
}

/** How many differences of all kinds a report has. */
export function differenceCount(counts: Readonly<Record<string, number>>): number {
  return differenceCounts(counts).reduce((sum, [, count]) => sum + count, 0);
}
