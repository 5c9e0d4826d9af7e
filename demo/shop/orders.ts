import { randomBytes } from 'node:crypto';
import type { Product } from './catalogue.ts';

/** An order of the shop. A real one would keep it in its database. */
export interface Order {
  reference: string;
  product: Product;
  state: 'waiting for payment' | 'paid' | 'payment failed';
  clientToken?: string;
  events: { type: string; at: string }[];
}

const orders = new Map<string, Order>();

export function makeOrder(product: Product): Order {
  const reference = `SHOP-${randomBytes(4).toString('hex').toUpperCase()}`;
  const order: Order = { reference, product, state: 'waiting for payment', events: [] };
  orders.set(reference, order);
  return order;
}

export function orderOf(reference: string | null | undefined): Order | undefined {
  return reference == null ? undefined : orders.get(reference);
}

export function allOrders(): Order[] {
  return [...orders.values()].reverse();
}

/** Takes an event about an order. What pays an order is the event, never the browser's word. */
export function takeEvent(event: { type: string; timestamp: string; data: { reference: string } }): void {
  const order = orderOf(event.data.reference);
  if (!order) return;
  order.events.push({ type: event.type, at: event.timestamp });
  if (event.type === 'payment.succeeded') order.state = 'paid';
  if (event.type === 'payment.failed' && order.state !== 'paid') order.state = 'payment failed';
}
