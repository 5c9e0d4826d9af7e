import type { PaymentRecord } from '../../store/schema.js';

/** How the gateway knows a payment: what every call about it carries. Without `transactionRef` until the gateway has given one. */
export function gatewayReferences(payment: PaymentRecord): {
  clientRef: string;
  transactionRef?: string;
  currency: string;
} {
  return {
    clientRef: payment.gatewayReference,
    transactionRef: payment.transactionRef ?? undefined,
    currency: payment.currency,
  };
}
