import type { TillfrontError } from '../kit/tillfront-error.js';
import type { MessageKey } from './messages.js';

/** Why an action failed, shown in the view where the payer started it. */
export interface Refusal {
  message: MessageKey;
  /** After how many seconds another try makes sense, where the message says so. */
  seconds?: number | undefined;
  /** Refused members, as JSON pointers. */
  pointers?: readonly string[];
  /** The bank's own words about a wrong code. */
  words?: string | undefined;
}

/** Refusals of a payment of which nothing was recorded, besides those that need more than a sentence. */
export const REFUSALS: Readonly<Record<string, MessageKey>> = {
  'insecure-context': 'problem.insecure',
  'not-supported': 'problem.notSupported',
  // somebody has paid this order, perhaps: never say that nothing was charged
  'outcome-unknown': 'problem.mayBePaid',
};

/** There were too many attempts. */
export function blocked({ retryAfterSeconds }: TillfrontError): Refusal {
  return { message: 'problem.blocked', seconds: retryAfterSeconds ?? 60 };
}
