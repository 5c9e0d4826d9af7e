import type { DifferencePage } from './api.js';

type Difference = DifferencePage['data'][number];

const KINDS: Record<Difference['kind'], string> = {
  amount_differs: 'Different amount in the report',
  not_paid_here: 'Settled there, not paid here',
  unknown_here: 'Settled there, unknown here',
  missing_there: 'Paid here, missing in the report',
  twice_there: 'Twice in the report',
  refund_unknown_here: 'Refund unknown here',
  chargeback_unknown_here: 'Chargeback unknown here',
  order_not_paid: 'Order listed as paid, not paid here',
  order_paid_twice: 'Order paid twice',
  order_unknown: 'Paid here, not listed as paid',
};

const STATES: Record<string, string> = {
  to_ask: 'the gateway will be asked',
  asked: 'the gateway is asked',
  confirmed: 'the gateway confirms it',
  unconfirmed: 'not confirmed: a person must look',
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

/** What is done about a difference. */
export function differenceState({ state }: Difference): string {
  return state === undefined ? '' : (STATES[state] ?? state.replaceAll('_', ' '));
}

/** How many differences of all kinds a report has. */
export function differenceCount(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
