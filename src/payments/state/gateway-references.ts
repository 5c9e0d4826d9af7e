import type { KeptValues } from '../../gateway/gateway-input.js';
import type { PaymentRecord } from '../../store/schema.js';

/** How the gateway knows a payment: what every call about it carries. Without `transactionRef` until the gateway has given one. */
export function gatewayReferences(payment: PaymentRecord): {
  clientRef: string;
  transactionRef?: string;
  amount: bigint;
  currency: string;
  kept?: KeptValues;
} {
  return {
    clientRef: payment.gatewayReference,
    transactionRef: payment.transactionRef ?? undefined,
    amount: payment.amount,
    currency: payment.currency,
    ...(payment.kept && { kept: payment.kept }),
  };
}
