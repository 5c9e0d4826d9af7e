import type { DemoSettings } from '../settings.ts';
import type { Order } from './orders.ts';
import { SHOPPER } from './shopper.ts';

/**
 * Asks Tillfront for a checkout session. This is the one call that a shop's server makes. The price comes from the
 * catalogue.
 */
export async function openSession(order: Order, settings: DemoSettings): Promise<boolean> {
  const answer = await fetch(`${settings.tillfrontUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${settings.merchantKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': order.id,
    },
    body: JSON.stringify({
      reference: order.reference,
      amount: order.product.price,
      currency: 'NGN',
      ...SHOPPER,
      returnUrl: `${settings.shopUrl}/orders/${order.id}`,
    }),
  });
  const session = (await answer.json()) as { clientToken?: string; checkoutUrl?: string };
  if (!answer.ok || session.clientToken === undefined || session.checkoutUrl === undefined) return false;
  order.clientToken = session.clientToken;
  order.checkoutUrl = session.checkoutUrl;
  return true;
}
