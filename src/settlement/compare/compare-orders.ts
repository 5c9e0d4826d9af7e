import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { newId } from '../../store/ids.js';
import type { SettlementRecord } from '../../store/schema.js';
import { readMeta, writeMeta } from '../../store/meta.js';
import { Store } from '../../store/store.js';
import { noneOf, ORDER_DIFFERENCES } from '../difference.js';
import type { OrdersReader } from '../files/orders-reader.js';
import { CountedTexts } from '../match/counted-texts.js';
import { orderDifferences, listedOrder } from '../match/order-differences.js';
import { type FoundDifference, reconcile } from '../match/reconcile.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { SettlementRowsRepository, type KeptOrder } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { MatchingTurn } from './matching-turn.js';
import { Pace, type FileToCompare } from './comparison-slot.js';

const nothing = (): undefined => undefined;

const AT_ONCE = 400;
const PAGE = 400;
const DAY_MS = 24 * 3_600_000;
/** How long before a report's time its payments may have been paid, where no days are configured. */
const USUAL_DAYS = 5;
/** Names the list that is being read. */
const STAGED = 'settlement-orders';

/** Holds the merchant's own list of orders against the ledger, as the third side beside a report. */
@Injectable()
export class CompareOrders {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly money: KnownMoneyRepository,
    private readonly differences: DifferencesRepository,
    private readonly turn: MatchingTurn,
    @Inject(CONFIG) private readonly config: Pick<Config, 'settlementExpectedDays'>,
  ) {}

  /** Compares a list. It takes the place of an earlier one of the same report, of which a faulty file changes nothing. */
  async compare(
    before: SettlementRecord,
    reader: OrdersReader,
    file: FileToCompare,
  ): Promise<SettlementRecord> {
    const { id } = before;
    const pace = new Pace(file.goesOn);
    const rowsId = newId('stl');
    const listAt = this.store.clock.now();
    await this.stage(rowsId, reader, file, pace);
    const work: Work = { id, listAt, counts: noneOf(ORDER_DIFFERENCES), listed: new CountedTexts() };
    for (let after = -1; ;) {
      const orders = await this.rows.ordersAfter(rowsId, after, AT_ONCE);
      await this.turn.use(() => this.matchSome(orders, work));
      await pace.pause();
      const last = orders.at(-1);
      if (!last || orders.length < AT_ONCE) break;
      after = last.line;
    }
    await this.findUnlisted(before, work, pace);
    const finished = {
      counts: { ...before.counts, ...work.counts },
      ordersDigest: reader.digest(),
      ordersAt: listAt,
      orderCount: reader.rowCount,
    };
    await this.repository.finishOrders(id, finished);
    await this.differences.closeOrders(id, listAt, this.store.clock.now());
    await this.clear();
    return { ...before, ...finished };
  }

  /** Looks again at what the lists said of these orders, where anything of it is open. Use it within the `MatchingTurn`. */
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

  /** Removes what a process has left behind that died in a list. */
  async clear(): Promise<void> {
    const rowsId = await readMeta(this.store, STAGED);
    if (rowsId === undefined) return;
    await this.rows.dropAll(rowsId);
    await this.store.db.deleteFrom('meta').where('name', '=', STAGED).execute();
  }

  /** Writes the list down, so that nothing of a faulty one counts and none need be kept in memory. */
  private async stage(
    rowsId: string,
    reader: OrdersReader,
    { pieces }: FileToCompare,
    pace: Pace,
  ): Promise<void> {
    await writeMeta(this.store, STAGED, rowsId);
    try {
      for await (const orders of reader.rows(pieces)) {
        for (let from = 0; from < orders.length; from += AT_ONCE)
          await this.rows.addOrders(rowsId, orders.slice(from, from + AT_ONCE));
        await pace.pause();
      }
    } catch (error) {
      await this.clear().catch(() => undefined);
      throw error;
    }
  }

  private async matchSome(orders: readonly KeptOrder[], { id, listAt, counts, listed }: Work): Promise<void> {
    const references = [...new Set(orders.map(({ reference }) => reference))];
    const payments = await this.money.ofOrders(references);
    const found = new Map<string, FoundDifference>();
    for (const { reference, line, ...order } of orders) {
      listed.add(reference);
      const place = { reference, settlementId: id, line, listAt };
      for (const one of orderDifferences(place, order, payments.get(reference) ?? [])) {
        if (!found.has(one.subject)) counts[one.kind] = (counts[one.kind] ?? 0) + 1;
        found.set(one.subject, one);
      }
    }
    await this.write(references, [...found.values()]);
  }

  /** Writes down what is found of these orders now: whatever else was known of them is over. */
  private async write(references: readonly string[], found: readonly FoundDifference[]): Promise<void> {
    const stored = await this.differences.ofOrders(references);
    await this.differences.apply(reconcile(stored, found), this.store.clock.now(), nothing);
  }

  /**
   * Finds what was paid here and is not in the list: in the time of the report, and before it as far as the report's own payments go back,
   * but no further than a gateway takes to settle.
   */
  private async findUnlisted(
    report: SettlementRecord,
    { id, listAt, counts, listed }: Work,
    pace: Pace,
  ): Promise<void> {
    const days = this.config.settlementExpectedDays || USUAL_DAYS;
    const stretch = paidStretch(report, days);
    if (!stretch) return;
    for (let place = { at: stretch.from, id: '' }; ;) {
      const { money, next } = await this.money.paidBetween(place, stretch.until, PAGE);
      const absent = money
        .map(({ payment }) => payment.reference)
        .filter((reference) => listed.count(reference) === 0);
      const references = [...new Set(absent)];
      await this.turn.use(async () => {
        const payments = await this.money.ofOrders(references);
        const found = references.flatMap((reference) => {
          const where = { reference, settlementId: id, line: null, listAt };
          const all = orderDifferences(where, undefined, payments.get(reference) ?? []);
          return all.filter(({ kind }) => kind === 'order_unknown');
        });
        for (const { reference } of found) listed.add(reference);
        counts['order_unknown'] = (counts['order_unknown'] ?? 0) + found.length;
        await this.write(
          found.map(({ reference }) => reference),
          found,
        );
      });
      await pace.pause();
      if (!next) return;
      place = next;
    }
  }
}

/** How a list compares so far. */
interface Work {
  readonly id: string;
  readonly listAt: number;
  readonly counts: Record<string, number>;
  /** The orders that the list has, or that were found to be missing there. */
  readonly listed: CountedTexts;
}

/** When what the report is about was paid; undefined where it names no time and no payment of ours. */
function paidStretch(
  { firstAt, lastAt, paidFrom, paidUntil }: SettlementRecord,
  days: number,
): { from: number; until: number } | undefined {
  const begins = firstAt ?? paidFrom;
  const ends = lastAt ?? paidUntil;
  if (begins === null || ends === null) return undefined;
  return {
    from: Math.max(begins - days * DAY_MS, Math.min(begins, paidFrom ?? begins)),
    until: Math.max(ends, paidUntil ?? ends),
  };
}
