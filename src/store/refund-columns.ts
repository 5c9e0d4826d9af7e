/** What the row of a refund has besides what every operation has. */
export interface RefundColumns {
  /** A refund's, as the merchant gave it; otherwise null. */
  reason: string | null;
  /** What the gateway knows a refund by; null for other operations. */
  refundReference: string | null;
  /** How much was known to have been given back when a refund was begun; null for other operations. */
  refundedBefore: bigint | null;
  /** Whether the gateway said so much just before a refund was sent. Only then does a rise of it confirm the refund. */
  refundBaselineSaid: boolean;
  /** Whether the sum that the gateway says was heard to hold a settled refund. */
  inSum: boolean;
  /** When that sum was first heard to have fallen by a refund that was done; null: it has not. */
  fallHeardAt: number | null;
}
