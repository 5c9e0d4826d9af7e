import type { PaymentRecord } from '../../store/schema.js';

/** What the ledger says of a payment's money, in minor units; null: nothing. */
export interface CountedAmounts {
  captured: bigint | null;
  refunded: bigint | null;
  disputed: bigint | null;
}

/**
 * What of a payment's amounts counts. What was heard to have gone back of a payment that is not known to be paid does not, until it is: the
 * ledger has no money of it. Pure.
 */
export function countedAmounts({
  amountCaptured,
  amountRefunded,
  disputed,
  amountDisputed,
}: Pick<PaymentRecord, 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'>): CountedAmounts {
  if (amountCaptured === null) return { captured: null, refunded: null, disputed: null };
  return {
    captured: amountCaptured,
    refunded: amountRefunded,
    disputed: disputed ? amountDisputed : null,
  };
}
