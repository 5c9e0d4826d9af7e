import { Injectable } from '@nestjs/common';
import { Naming } from '../../payments/named/naming.js';
import type { DifferenceRecord, SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { noneOf, NOT_SETTLED, REPORT_DIFFERENCES } from '../difference.js';
import { PayoutSums, unnamedSubject } from '../match/payouts.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { Matcher, widen, type PaidTime, type RowsTold } from './matcher.js';
import { MatchingTurn } from './matching-turn.js';
import type { Pace } from './comparison-slot.js';
import { Unsettled } from './unsettled.js';
import { CountedTexts } from '../match/counted-texts.js';
import { reconcile, type FoundDifference } from '../match/reconcile.js';

const PAGE = 1_000;

/** How many rows are matched with one look at the store. */
const AT_ONCE = 400;
/** Others may match something in between. */
const TURN_MS = 300;
/** No report is about more payouts. */
const MOST_PAYOUTS = 10_000;
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
    private readonly unsettled: Unsettled,
    private readonly naming: Naming,
  ) {}

  /** Goes on with a report where that is needed. */
  async finish(settlement: SettlementRecord, pace: Pace): Promise<SettlementRecord> {
    return settlement.matchedAt === null ? this.match(settlement, pace) : settlement;
  }

  /** @param unnamed the payouts without a name, where they are known: only of a report that was read just now */
  async match(settlement: SettlementRecord, pace: Pace, unnamed?: PayoutSums): Promise<SettlementRecord> {
    const { id, firstAt, lastAt } = settlement;
    const { matchedTo, rowsMatched, rowsDifferent, paidFrom, paidUntil } = settlement;
    const work: Work = {
      ...{ matchedTo, rowsMatched, rowsDifferent, paidFrom, paidUntil },
      payouts: new Set(),
    };
    for (let isDone = false; !isDone;) {
      await pace.pause();
      isDone = await this.turn.use(() => this.matchSome(settlement, work));
    }
    for (const name of work.payouts) {
      await this.turn.use(() => this.checkPayouts(name));
      await pace.pause();
    }
    if (unnamed) await this.turn.use(() => this.checkUnnamed(unnamed));
    await this.unsettled.look(pace, LOOK_MS);
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
  private async matchSome(settlement: SettlementRecord, work: Work): Promise<boolean> {
    const { id, names } = settlement;
    const rowsId = settlement.rowsId ?? id;
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
      if (names) await this.name(told);
      add(work, told, last.line);
      // A row that is seen again is removed after it was counted, so that whoever goes on from here counts it neither twice nor never.
      await this.repository.progress(id, work);
      await this.rows.drop(rowsId, told.again);
    }
    return false;
  }

  /** Holds the payouts of a name against the rows that they are said to be the sum of, by all reports. */
  private async checkPayouts(name: string): Promise<void> {
    const sums = new PayoutSums();
    const seen = new CountedTexts();
    for (let after = { rowsId: '', line: -1 }; ;) {
      const page = await this.rows.ofPayout(name, after, PAGE);
      for (const part of page) if (seen.add(`${part.identity} ${part.nth}`) === 1) sums.add(part);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last;
    }
    await this.write(await this.differences.ofPayout(name), sums.differences(name));
  }

  /** The same of those of a report that have no name. */
  private async checkUnnamed(sums: PayoutSums): Promise<void> {
    for (const { row, difference } of sums.unnamed()) {
      const stored = await this.differences.bySubject(unnamedSubject(row));
      await this.write(stored ? [stored] : [], difference ? [difference] : []);
    }
  }

  private async write(stored: readonly DifferenceRecord[], found: readonly FoundDifference[]): Promise<void> {
    await this.differences.apply(reconcile(stored, found), this.store.clock.now(), () => undefined);
  }

  /**
   * Names what a file names, as far as nobody has heard of it: it was compared before, when a sender sent it who names nothing.
   *
   * @param rowsId of its rows as they were read now, which do not count a second time
   */
  async nameUnheard(rowsId: string, pace: Pace): Promise<void> {
    for (let after = -1; ;) {
      await pace.pause();
      const places = await this.rows.placesAfter(rowsId, after, AT_ONCE);
      const last = places.at(-1);
      if (!last) return;
      const firsts = places.filter(({ isFirst }) => isFirst).map(({ reference }) => reference);
      await this.name(await this.turn.use(() => this.matcher.match(firsts, rowsId)));
      after = last.line;
    }
  }

  /**
   * No payment of these orders starts before the gateway was asked about what the report names, be it only by what went back of it. Of what
   * was reversed nothing can be paid, but its number is never used again.
   */
  private async name({ unknown, unknownAgain, reversed }: RowsTold): Promise<void> {
    await this.naming.name(unknown, 'report');
    await this.naming.nameUnheard(unknownAgain, 'report');
    await this.naming.keepNumbers(reversed);
  }
}

/** How far a report is matched. */
interface Work extends Pick<
  SettlementRecord,
  'matchedTo' | 'rowsMatched' | 'rowsDifferent' | keyof PaidTime
> {
  readonly payouts: Set<string>;
}

function add(work: Work, { matched, different, ...paid }: RowsTold, line: number): void {
  work.matchedTo = line;
  work.rowsMatched += matched;
  work.rowsDifferent += different;
  widen(work, paid.paidFrom, paid.paidUntil);
}
