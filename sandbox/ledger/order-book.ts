import { randomUUID } from 'node:crypto';

/** What was said of a payment before it is made, by the names in the gateway's own documentation. */
export type Order = Readonly<Record<string, unknown>>;

/** Orders that were made before their payments. They move no money. */
export class OrderBook {
  readonly #orders = new Map<string, Order>();

  /** Keeps an order and returns its id. */
  add(order: Order): string {
    const id = `ord_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    this.#orders.set(id, order);
    return id;
  }

  find(id: string): Order | undefined {
    return this.#orders.get(id);
  }

  reset(): void {
    this.#orders.clear();
  }
}
