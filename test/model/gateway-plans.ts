import type { FalseWord } from './gateway-words.ts';
import type { State } from './money-ledger.ts';

/** What a call meets at the gateway of the model: what really becomes of it, and what is said. */

/** How an answer reaches the service, or fails to. */
export const MANNERS = [
  'honest',
  'slow',
  'silent',
  'reset',
  'close',
  'cut',
  'error-500',
  'html',
  'other-reference',
  'other-amount',
  'other-currency',
  'contradiction',
  'unlisted',
] as const;
export interface Manner {
  how: (typeof MANNERS)[number];
  /** What is said of another payment, or wrongly of this. */
  word: FalseWord;
}
/** Manners of a call that was not carried out: whatever names the payment would be a lie about it. */
export const SAYS_NOTHING: readonly string[] = [
  'silent',
  'reset',
  'close',
  'cut',
  'error-500',
  'html',
  'slow',
  'honest',
];

/** What a call that starts a payment does at the gateway. `later`: it is carried out when nobody waits any more. */
export type PayTruth = Exclude<State, 'reversed' | 'expired'> | 'busy' | 'later';
export type OtpTruth = 'captured' | 'held' | 'declined' | 'again' | 'pending' | 'refused' | 'absent';
export type LaterTruth = 'done' | 'refused' | 'accepted' | 'absent';
/** `late`: it shows nowhere until it is carried out after all, whatever was done since. */
export type VoidTruth = LaterTruth | 'late';

/** What status queries meet, besides the truth. */
export type Question =
  | Manner
  | { how: 'lag' | 'busy' }
  /** A false word about this very payment. */
  | { how: 'lie'; word: FalseWord };

export interface Plans {
  pay: { truth: PayTruth; manner: Manner };
  otp: { truth: OtpTruth; manner: Manner };
  complete: { truth: LaterTruth; manner: Manner };
  void: { truth: VoidTruth; manner: Manner };
  refund: { truth: LaterTruth; manner: Manner };
}

export const HONEST: Manner = { how: 'honest', word: 'SUCCESS' };
export const USUAL: Plans = {
  pay: { truth: 'captured', manner: HONEST },
  otp: { truth: 'captured', manner: HONEST },
  complete: { truth: 'done', manner: HONEST },
  void: { truth: 'done', manner: HONEST },
  refund: { truth: 'done', manner: HONEST },
};
/** A gateway that denies a payment three times may be believed; two times it may lag. */
export const MOST_FALSE_DENIALS = 2;
