import type { PaymentRecord, SettlementDifferenceRecord } from '../../store/schema.js';
import type { NotificationClaim } from '../../payments/schedule/notified.js';
import { minorOf } from '../files/file-amount.js';

/** What a report claims of a payment, in the words of the gateway's answers. */
export function claimOf({ kind }: SettlementDifferenceRecord): NotificationClaim {
  if (kind === 'refund_unknown_here') return 'refunded';
  return kind === 'chargeback_unknown_here' ? 'chargedBack' : 'succeeded';
}

/** Whether the gateway has confirmed by now what a report claims of this payment, in amount and currency. Pure. */
export function isConfirmed(
  { kind, claimed, amount, decimals, currency }: SettlementDifferenceRecord,
  payment: Pick<
    PaymentRecord,
    'status' | 'amount' | 'currency' | 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'
  >,
): boolean {
  const paid = payment.amountCaptured ?? payment.amount;
  switch (kind) {
    case 'refund_unknown_here':
      if (claimed === null) return false;
      return claimed <= (payment.status === 'voided' ? paid : (payment.amountRefunded ?? 0n));
    case 'chargeback_unknown_here':
      return claimed !== null && payment.disputed && claimed <= (payment.amountDisputed ?? paid);
    default:
      if (amount === null || (currency !== null && currency !== payment.currency)) return false;
      return (
        payment.status === 'succeeded' && minorOf({ digits: amount, decimals }, payment.currency) === paid
      );
  }
}
