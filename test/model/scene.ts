import type { History } from '../chaos/history.ts';
import { Shop, type Shown } from './shop.ts';
import type { LedgerGateway } from './ledger-gateway.ts';
import type { Transaction } from './money-ledger.ts';
import type { Till } from './till.ts';

/** One order of one sequence of commands: the service, the gateway, the shop with its payer, and what is still under way. */
export class Scene {
  readonly till: Till;
  readonly gateway: LedgerGateway;
  readonly shop: Shop;
  /** Processes that were killed before this order. */
  readonly killsBefore: number;
  /** Calls whose answers the gateway holds back. */
  readonly #underWay: Promise<unknown>[] = [];
  /** Broken promises, as sentences. */
  readonly violations: string[] = [];

  constructor(till: Till, gateway: LedgerGateway, reference: string) {
    this.till = till;
    this.killsBefore = till.kills;
    this.gateway = gateway;
    this.shop = new Shop(till, reference);
    const blame = (what: string): void => void this.violations.push(what);
    till.onViolation = blame;
    gateway.onViolation = blame;
    gateway.onNote = (what) => this.history.note('gateway', what);
    till.history.clear();
  }

  get history(): History {
    return this.till.history;
  }

  get transactions(): Transaction[] {
    return this.gateway.ledger.of(this.shop.reference);
  }

  blame(what: string): void {
    this.violations.push(what);
    this.history.note('VIOLATION', what);
  }

  /** Waits for the calls, but for no longer than until the gateway holds one back: then life goes on beside it. */
  async run(calls: Promise<unknown>[]): Promise<void> {
    const all = Promise.all(calls);
    this.#underWay.push(all);
    await Promise.race([all, this.gateway.whenHeld()]);
  }

  /** All calls have been answered, or have died. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  /** One of the order's payments, the newest one for 0, and its books. */
  async pick(index: number): Promise<{ shown: Shown; transaction: Transaction | undefined } | undefined> {
    const payments = await this.shop.payments();
    const shown = payments.at(-1 - (index % Math.max(1, payments.length)));
    return shown && { shown, transaction: this.gateway.ledger.find(shown.gatewayReference) };
  }
}
