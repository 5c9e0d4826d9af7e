/** A failed card payment, counted for the card-testing limits. */
export interface DeclineRecord {
  /**
   * The payment's id: if the payment turns out to be paid, the decline no longer counts. (Rows of version 0.1.0 have
   * ids of their own.)
   */
  id: string;
  addressFingerprint: string;
  /** A keyed hash of the /48 of an IPv6 address; null for any other. */
  networkFingerprint: string | null;
  cardFingerprint: string;
  /** In halves of a decline: 2 for a decline or a card that the gateway rejected, 1 for an abandoned challenge. */
  weight: number;
  /** When it was written, by the store's own clock. */
  at: number;
}
