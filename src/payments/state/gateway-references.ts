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

/** A reference that the gateway gets, after the merchant's: the separator, at most 8 signs, and the number of the payment. */
const NUMBERED = /^(.*?)([^A-Za-z0-9]{1,8})[0-9]+$/;

/**
 * The merchant's references that a gateway's may be made of, whatever separator the profile has or had when it was made. A
 * merchant's reference may end with signs that could be part of the separator, so there may be several. Pure.
 */
export function merchantReferences(gatewayReference: string): string[] {
  const [, before = '', signs = ''] = NUMBERED.exec(gatewayReference) ?? [];
  return Array.from(signs, (_, taken) => before + signs.slice(0, taken));
}
