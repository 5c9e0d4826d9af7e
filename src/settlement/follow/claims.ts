import type { PaymentRecord } from '../../store/schema.js';
import type { SettlementDifferenceRecord } from '../../store/book-tables.js';
import type { NotificationClaim } from '../../payments/schedule/notified.js';

/** What a report claims of a payment, in the words of the gateway's answers. */
export function claimOf({ kind }: SettlementDifferenceRecord): NotificationClaim {
  if (kind === 'refund_unknown_here') return 'refunded';
  return kind === 'chargeback_unknown_here' ? 'chargedBack' : 'succeeded';
}

/** Whether the gateway has confirmed by now what a report claims of this payment. Pure. */
export function isConfirmed(
  { kind, claimed }: SettlementDifferenceRecord,
  payment: Pick<PaymentRecord, 'status' | 'amountRefunded' | 'disputed'>,
): boolean {
  switch (kind) {
    case 'refund_unknown_here':
      return payment.status === 'voided' || (payment.amountRefunded ?? -1n) >= (claimed ?? 0n);
    case 'chargeback_unknown_here':
      return payment.disputed;
    default:
      return payment.status === 'succeeded';
  }
}
