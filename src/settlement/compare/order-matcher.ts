import { Injectable } from '@nestjs/common';
import { Store } from '../../store/store.js';
import { listedOrder, orderDifferences } from '../match/order-differences.js';
import { reconcile, type FoundDifference } from '../match/reconcile.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';

const nothing = (): undefined => undefined;

/** Holds orders of the merchant's list against what their payments hold. Use it within the `MatchingTurn`. */
@Injectable()
export class OrderMatcher {
  constructor(
    private readonly store: Store,
    private readonly money: KnownMoneyRepository,
    private readonly differences: DifferencesRepository,
  ) {}

  /** Writes down what is found of these orders now: whatever else was known of them is over. */
  async write(references: readonly string[], found: readonly FoundDifference[]): Promise<void> {
    const stored = await this.differences.ofOrders(references);
    await this.differences.apply(reconcile(stored, found), this.store.clock.now(), nothing);
  }

  /** Looks again at what the lists said of these orders, where anything of it is open. */
  async match(references: readonly string[]): Promise<void> {
    const open = (await this.differences.ofOrders(references)).filter(({ state }) => state === 'open');
    if (open.length === 0) return;
    const payments = await this.money.ofOrders([...new Set(open.map(({ reference }) => reference))]);
    const found = open.flatMap((difference) => {
      const { subject, reference, settlementId, line, settledAt: listAt } = difference;
      const place = { reference, settlementId, line, listAt };
      const now = orderDifferences(place, listedOrder(difference), payments.get(reference) ?? []);
      return now.filter((one) => one.subject === subject);
    });
    await this.differences.apply(reconcile(open, found), this.store.clock.now(), nothing);
  }
}
