import type { DifferenceRecord, PaymentRecord } from '../../store/schema.js';
import type { NotificationClaim } from '../../payments/schedule/notified.js';
import { REPORTED } from '../../payments/state/payment-update.js';
import { minorOf } from '../files/file-amount.js';

type Claimed = Pick<
  DifferenceRecord,
  'kind' | 'said' | 'claimed' | 'foundAmount' | 'foundDecimals' | 'foundCurrency'
>;

/** What a report claims of a payment, in the words of the gateway's answers. Pure. */
export function claimsOf({ kind, said }: Claimed): NotificationClaim[] {
  switch (said) {
    case 'paymentReversal':
      return ['voided', REPORTED];
    case 'chargebackReversal':
      return ['disputeWon', REPORTED];
    case 'refundReversal':
      // No word of an answer says that a refund came back.
      return [REPORTED];
    default:
      if (kind === 'refund_unknown_here') return ['refunded', REPORTED];
      return [kind === 'chargeback_unknown_here' ? 'chargedBack' : 'succeeded', REPORTED];
  }
}

/** Whether the gateway has confirmed by now what a report claims of this payment, in amount and currency. Pure. */
export function isConfirmed(
  { kind, said, claimed, foundAmount, foundDecimals, foundCurrency }: Claimed,
  payment: Pick<
    PaymentRecord,
    'status' | 'amount' | 'currency' | 'amountCaptured' | 'amountRefunded' | 'disputed' | 'amountDisputed'
  >,
): boolean {
  const paid = payment.amountCaptured ?? payment.amount;
  // What came back again is confirmed by its movement alone, and then the difference is closed.
  if (said === 'refundReversal' || said === 'chargebackReversal') return false;
  switch (kind) {
    case 'refund_unknown_here':
      if (claimed === null) return false;
      return claimed <= (payment.status === 'voided' ? paid : (payment.amountRefunded ?? 0n));
    case 'chargeback_unknown_here':
      return claimed !== null && payment.disputed && claimed <= (payment.amountDisputed ?? paid);
    default:
      if (foundAmount === null || (foundCurrency !== null && foundCurrency !== payment.currency))
        return false;
      return (
        payment.status === 'succeeded' &&
        minorOf({ digits: foundAmount, decimals: foundDecimals }, payment.currency) === paid
      );
  }
}
