import type { History } from '../chaos/history.ts';
import { pause } from '../chaos/calls.ts';
import { Shop, type Kept, type Shown } from './shop.ts';
import type { LedgerGateway } from './ledger-gateway.ts';
import type { Transaction } from './money-ledger.ts';
import type { Till } from './till.ts';

/** For so long an operation may be waited for. */
const PATIENCE_MS = 2_500;

/** One order of one sequence of commands: the service, the gateway, the shop with its payer, and what is still under way. */
export class Scene {
  readonly till: Till;
  readonly gateway: LedgerGateway;
  readonly shop: Shop;
  /** Processes that were killed before this order. */
  readonly killsBefore: number;
  /** What was done, by name, and how often. */
  readonly deeds = new Map<string, number>();
  /** What the shop had when a copy of the store was made. */
  kept: Kept | undefined;
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
    gateway.isAskedFor = ({ clientRef, calls }) =>
      (calls.get('void') ?? 0) <= this.shop.askedFor('void', clientRef);
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

  did(what: string, about = ''): void {
    this.deeds.set(what, (this.deeds.get(what) ?? 0) + 1);
    if (about !== '') this.history.note(what, about);
  }

  /** Waits until no operation of the order is open. One that is answered late, or never, stays so. */
  async patience(): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(50)) {
      const payments = await this.shop.payments();
      if (payments.every(({ pendingOperation }) => pendingOperation === null)) return;
    }
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
