import { randomBytes, randomUUID } from 'node:crypto';
import type { Product } from './catalogue.ts';

export type OrderState = 'waiting for payment' | 'payment under way' | 'paid' | 'payment failed' | 'refunded';

/** An event of Tillfront's about a payment, as far as the shop needs it. */
export interface PaymentEvent {
  id: string;
  type: string;
  timestamp: string;
  /** Counts a payment's events from 1. */
  sequence: number;
  data: { id: string; reference: string; status: string };
}

/** An order of the shop. A real one would keep it in its database. */
export interface Order {
  /** In the order's address; nobody can guess it. */
  id: string;
  /** What Tillfront and the gateway know it by. */
  reference: string;
  product: Product;
  clientToken?: string;
  checkoutUrl?: string;
  /** The newest that is known of each payment. */
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

/** By the shop's reference, or by the gateway's, which counts the attempts behind it. */
export function orderByReference(reference: string): Order | undefined {
  const own = reference.replace(/_\d+$/, '');
  return [...orders.values()].find((order) => order.reference === own);
}

export function allOrders(): Order[] {
  return [...orders.values()].reverse();
}

/** What pays an order is the signed event, never the browser's word. */
export function stateOf(order: Order): OrderState {
  const statuses = new Set([...order.payments.values()].map(({ status }) => status));
  if (statuses.has('succeeded')) return 'paid';
  if (statuses.has('authorized') || statuses.has('requires_action')) return 'payment under way';
  if (statuses.has('voided')) return 'refunded';
  return statuses.has('failed') ? 'payment failed' : 'waiting for payment';
}

/** Takes an event, each once, and an old one that comes late only into the list. */
export function takeEvent(event: PaymentEvent): void {
  if (!event.type.startsWith('payment.')) return;
  const order = orderByReference(event.data.reference);
  if (!order || order.events.some(({ id }) => id === event.id)) return;
  order.events.push(event);
  const known = order.payments.get(event.data.id);
  if (known !== undefined && known.sequence > event.sequence) return;
  order.payments.set(event.data.id, { sequence: event.sequence, status: event.data.status });
}
