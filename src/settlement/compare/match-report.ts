import { Injectable } from '@nestjs/common';
import { Naming } from '../../payments/named/naming.js';
import type { SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { noneOf, NOT_SETTLED, REPORT_DIFFERENCES } from '../difference.js';
import type { PayoutSums } from '../match/payouts.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { Matcher } from './matcher.js';
import { MatchingTurn } from './matching-turn.js';
import type { Pace } from './pace.js';
import { Payouts } from './payouts.js';
import { Unsettled } from './unsettled.js';

/** How many rows are matched with one look at the store. */
const AT_ONCE = 400;
/** Others may match something in between. */
const TURN_MS = 300;
/** No report is about more payouts. */
const MOST_PAYOUTS = 10_000;
/** So many rows that are unknown here are named with one look at the store. */
const NAMED_AT_ONCE = 400;
/** So long is looked for what no report has settled before the report is shown. The rest is found in the background. */
const LOOK_MS = 10_000;
/** What is absent is counted up to here. */
const COUNTED = 10_000;

/** Matches the rows of a report that was read, and shows it. Whoever goes on with one that was begun does no harm. */
@Injectable()
export class MatchReport {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly differences: DifferencesRepository,
    private readonly matcher: Matcher,
    private readonly turn: MatchingTurn,
    private readonly payouts: Payouts,
    private readonly unsettled: Unsettled,
    private readonly naming: Naming,
  ) {}

  /** Goes on with a report where that is needed. */
  async finish(settlement: SettlementRecord, pace: Pace): Promise<SettlementRecord> {
    return settlement.matchedAt === null ? this.match(settlement, pace) : settlement;
  }

  /** @param unnamed the payouts without a name, where they are known: only of a report that was read just now */
  async match(settlement: SettlementRecord, pace: Pace, unnamed?: PayoutSums): Promise<SettlementRecord> {
    const { id, rowsId, firstAt, lastAt } = settlement;
    const work = new Work(settlement);
    for (let isDone = false; !isDone;) {
      await pace.pause();
      isDone = await this.turn.use(() => this.matchSome(id, rowsId ?? id, work));
    }
    for (const name of work.payouts) {
      await this.turn.use(() => this.payouts.check(name));
      await pace.pause();
    }
    if (unnamed) await this.turn.use(() => this.payouts.checkUnnamed(unnamed));
    await this.unsettled.look(pace, LOOK_MS);
    await this.nameUnknown(settlement);
    const absent =
      firstAt === null || lastAt === null ? 0 : await this.differences.countAbsent(firstAt, lastAt, COUNTED);
    const now = this.store.clock.now();
    const own = await this.differences.countOf(id);
    const matched = {
      ...{ matchedAt: now, finishedAt: settlement.finishedAt ?? now },
      counts: {
        ...settlement.counts,
        ...noneOf(REPORT_DIFFERENCES),
        ...own,
        ...{ [NOT_SETTLED]: absent, missing_there: absent, twice_there: own['twice_there'] ?? 0 },
      },
      ...{ paidFrom: work.paidFrom, paidUntil: work.paidUntil },
      ...{ rowsMatched: work.rowsMatched, rowsDifferent: work.rowsDifferent },
    };
    await this.repository.finish(id, matched);
    return { ...settlement, ...matched };
  }

  /** Matches rows for a while. Says whether all are matched. */
  private async matchSome(id: string, rowsId: string, work: Work): Promise<boolean> {
    for (const begun = performance.now(); performance.now() - begun < TURN_MS;) {
      const places = await this.rows.placesAfter(rowsId, work.matchedTo, AT_ONCE);
      const last = places.at(-1);
      if (!last) return true;
      for (const { payout } of places)
        if (payout !== null && work.payouts.size < MOST_PAYOUTS) work.payouts.add(payout);
      // All rows of a payment are matched when its first one comes.
      const fresh = places.filter(({ isFirst }) => isFirst);
      const told = await this.matcher.match(
        fresh.map(({ reference }) => reference),
        id,
      );
      work.take(told, last.line);
      // A row that is seen again is removed after it was counted, so that whoever goes on from here counts it neither twice nor never.
      await this.repository.progress(id, work);
      await this.rows.drop(rowsId, told.again);
    }
    return false;
  }

  /** No payment of these orders starts before the gateway was asked about what the report names. */
  private async nameUnknown({ id, names }: SettlementRecord): Promise<void> {
    if (!names) return;
    for (let after = ''; ;) {
      const page = { kind: 'unknown_here', after, limit: NAMED_AT_ONCE } as const;
      const found = await this.differences.listOf({ id, firstAt: null, lastAt: null }, page);
      const open = found.filter(({ state }) => state === 'open');
      await this.naming.name(
        open.map(({ reference }) => reference),
        'report',
      );
      const last = found.at(-1);
      if (!last || found.length < NAMED_AT_ONCE) return;
      after = last.id;
    }
  }
}

/** How far a report is matched. */
class Work {
  matchedTo: number;
  rowsMatched: number;
  rowsDifferent: number;
  paidFrom: number | null;
  paidUntil: number | null;
  readonly payouts = new Set<string>();

  constructor({ matchedTo, rowsMatched, rowsDifferent, paidFrom, paidUntil }: SettlementRecord) {
    this.matchedTo = matchedTo;
    this.rowsMatched = rowsMatched;
    this.rowsDifferent = rowsDifferent;
    this.paidFrom = paidFrom;
    this.paidUntil = paidUntil;
  }

  take(
    told: { matched: number; different: number; paidFrom: number | null; paidUntil: number | null },
    line: number,
  ): void {
    this.matchedTo = line;
    this.rowsMatched += told.matched;
    this.rowsDifferent += told.different;
    if (told.paidFrom !== null) this.paidFrom = Math.min(this.paidFrom ?? told.paidFrom, told.paidFrom);
    if (told.paidUntil !== null) this.paidUntil = Math.max(this.paidUntil ?? told.paidUntil, told.paidUntil);
  }
}
