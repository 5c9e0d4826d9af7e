import { randomBytes, randomUUID } from 'node:crypto';
import type { Product } from './catalogue.ts';

export type OrderState = 'waiting for payment' | 'payment under way' | 'paid' | 'payment failed' | 'refunded';

/** An event from Tillfront about a payment, with the members that the shop uses. */
export interface PaymentEvent {
  id: string;
  type: string;
  timestamp: string;
  /** Counts a payment's events from 1. */
  sequence: number;
  data: { id: string; reference: string; status: string };
}

/** An order of the shop. A real shop would keep it in its database. */
export interface Order {
  /** Part of the order's address. It cannot be guessed. */
  id: string;
  /** The order's name at Tillfront and the gateway. */
  reference: string;
  product: Product;
  clientToken?: string;
  checkoutUrl?: string;
  /** The newest event of each payment. */
  payments: Map<string, { sequence: number; status: string }>;
  events: PaymentEvent[];
}

const orders = new Map<string, Order>();

export function makeOrder(product: Product): Order {
  const reference = `SHOP-${randomBytes(4).toString('hex').toUpperCase()}`;
  const order: Order = { id: randomUUID(), reference, product, payments: new Map(), events: [] };
  orders.set(order.id, order);
  return order;
}

export function orderOf(id: string): Order | undefined {
  return orders.get(id);
}

/** By the shop's reference, or by the gateway's, which appends the number of the attempt. */
export function orderByReference(reference: string): Order | undefined {
  const own = reference.replace(/_\d+$/, '');
  return [...orders.values()].find((order) => order.reference === own);
}

export function allOrders(): Order[] {
  return [...orders.values()].reverse();
}

/** Only the signed event marks an order as paid, never a message from the browser. */
export function stateOf(order: Order): OrderState {
  const statuses = new Set([...order.payments.values()].map(({ status }) => status));
  if (statuses.has('succeeded')) return 'paid';
  if (statuses.has('authorized') || statuses.has('requires_action')) return 'payment under way';
  if (statuses.has('voided')) return 'refunded';
  return statuses.has('failed') ? 'payment failed' : 'waiting for payment';
}

/** Accepts each event once. An old event that arrives late only goes into the list. */
export function takeEvent(event: PaymentEvent): void {
  if (!event.type.startsWith('payment.')) return;
  const order = orderByReference(event.data.reference);
  if (!order || order.events.some(({ id }) => id === event.id)) return;
  order.events.push(event);
  const known = order.payments.get(event.data.id);
  if (known !== undefined && known.sequence > event.sequence) return;
  order.payments.set(event.data.id, { sequence: event.sequence, status: event.data.status });
}
