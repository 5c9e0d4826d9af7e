/** What a payment's row says of when it was paid and of what became of the money since. */
export interface MoneyColumns {
  /** How much has been given back, as far as is known: refunds that succeeded, and what the gateway reports; null: nothing. */
  amountRefunded: bigint | null;
  /** How many refunds were ever begun for it: the M of `reference_N_rM`. */
  refundsMade: number;
  /** Whether the gateway has said that the payer's bank took the money back, and not that it came back. */
  disputed: boolean;
  /** How much was charged back; null where nothing is, and for chargebacks of versions before 0.3.0: all that was left. */
  amountDisputed: bigint | null;
  /** When the last chargeback was heard of; null: none was, or of a version before 0.3.0. */
  disputedAt: number | null;
  /**
   * Since when a void of it is refused by time alone: it may have been done after all. Null: none is, or a person or the gateway has
   * said since what became of it.
   */
  voidDoubtfulSince: number | null;
  /** When it was paid: the gateway's time where it says one that can be believed, otherwise when that was learned; null: not paid. */
  paidAt: number | null;
}

/** How they are stored. */
export const moneyColumns = {
  amountRefunded: 'amount',
  refundsMade: 'integer',
  disputed: 'boolean',
  amountDisputed: 'amount',
  disputedAt: 'integer',
  voidDoubtfulSince: 'integer',
  paidAt: 'integer',
} as const satisfies Record<keyof MoneyColumns, 'amount' | 'integer' | 'boolean'>;
