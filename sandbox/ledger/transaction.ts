export type Method = 'card' | 'wallet' | 'transfer' | 'ussd';

/** The state of a transaction. `initial` and `pending` wait, `pin`, `otp` and `redirect` wait for the payer. */
export type State =
  | 'initial'
  | 'pending'
  | 'pin'
  | 'otp'
  | 'redirect'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'expired'
  | 'voided';

/**
 * What becomes of a payment after its success. `partlyReversed` says so with the state of a reversal and the amount of the
 * part.
 */
export type After = 'refunded' | 'partiallyRefunded' | 'partlyReversed' | 'chargedBack';

/** One refund, under the merchant's own reference. */
export interface Refund {
  ref: string;
  minor: bigint;
}

/** What the sandbox knows of one attempt to pay. Two attempts may share a `clientRef`, but never a `transactionRef`. */
export interface Transaction {
  clientRef: string;
  transactionRef: string;
  /** Identifies the transaction on the payer's pages (challenge, cashier). Unguessable. */
  token: string;
  method: Method;
  /** 1 for the first initiating call under this `clientRef`, 2 for the second … */
  attempt: number;
  /** True when the `clientRef` had been used by an earlier initiating call. */
  duplicateClientRef: boolean;
  /** The requested amount, in minor units. */
  amountMinor: bigint;
  /** The amount that was actually taken: the captured part of an authorization, or what a transfer brought. */
  takenMinor: bigint;
  /** What was given back of a paid one, in minor units, in all. */
  refundedMinor?: bigint;
  /** Refunds that the merchant asked for. */
  refunds?: Refund[];
  /** What became of a paid one, which stays `succeeded`. */
  after?: After;
  currency: string;
  state: State;
  /** The state before the last move. A lagging status query still answers with it. */
  formerState: State;
  message: string;
  errorCode: string;
  createdAt: string;
  updatedAt: string;
  /** When a waiting wallet, transfer or USSD transaction expires by itself. */
  expiresAt?: string;
  card?: { brand: string; masked: string };
  /** A PIN that is asked for after the card, and what follows it. */
  pin?: { wrong: number; then: 'charge' | 'otp' };
  otp?: { wrong: number; onWrong: 'again' | 'refuse' };
  challenge?: {
    notifyUrl: string;
    returnBy: 'GET' | 'POST';
    then: 'charge' | 'authorize' | 'otp' | 'pending';
  };
  account?: { number: string; name: string; bank: string };
  ussd?: { code: string; bank: string };
  /** A move that the sandbox makes by itself later. */
  due?: { at: string; to: 'succeeded' | 'failed' | 'expired' };
}

/** True while money may still come without anybody's late word. */
export function isWaiting(state: State): boolean {
  return ['initial', 'pending', 'pin', 'otp', 'redirect'].includes(state);
}

/** The amount in answers: what was reversed of it, what was taken, otherwise what was asked for. */
export function statedMinor(transaction: Transaction): bigint {
  if (transaction.after === 'partlyReversed') return transaction.refundedMinor ?? 0n;
  return transaction.takenMinor > 0n ? transaction.takenMinor : transaction.amountMinor;
}

/** What the shop still has of what was taken, in minor units. */
export function leftMinor({ takenMinor, refundedMinor, after }: Transaction): bigint {
  return after === 'chargedBack' ? 0n : takenMinor - (refundedMinor ?? 0n);
}
