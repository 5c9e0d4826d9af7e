import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../background/periodic-task.js';
import { Problem } from '../../http/problems/problem.js';
import { timeBound } from '../../store/ids.js';
import { readMeta, writeMeta } from '../../store/meta.js';
import type { Changes } from '../../store/payment-writer.js';
import type { MovementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { ComparisonSlot, Pace } from '../compare/comparison-slot.js';
import { MatchReport } from '../compare/match-report.js';
import { Matcher } from '../compare/matcher.js';
import { MatchingTurn } from '../compare/matching-turn.js';
import { CompareOrders } from '../compare/compare-orders.js';
import { Unsettled } from '../compare/unsettled.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';

/** How soon after a commit its payment is matched again: commits of a moment share one look. */
const SOON_MS = 50;
const SWEEP_EVERY_MS = 15 * 60_000;
/** How soon it is looked again whether a report that nobody goes on with can be had: a dead process keeps its turn for a while. */
const AGAIN_MS = 5_000;
/** No commit takes so long that its entries are not there by then. */
const OVERLAP_MS = 15 * 60_000;
const AT_ONCE = 400;
/** Beyond this the next sweep finds them. */
const MOST_WAITING = 20_000;
/** How long one look for what no report has settled may last before others have their turn. */
const LOOK_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** Up to when the ledger was swept. */
const SWEPT = 'settlement-swept';

/**
 * Holds what is learned of payments against what the reports said of them: at once after a commit of this process, and now and then
 * whatever a process has left that died. It also goes on with reports that a process has left half matched, and looks for what no report has
 * settled.
 */
@Injectable()
export class LedgerWatch extends PeriodicTask {
  private payments = new Set<string>();
  private late = new Set<string>();
  private orders = new Set<string>();
  private sweptAt = -Infinity;
  private isDone = true;

  constructor(
    private readonly store: Store,
    private readonly settlements: SettlementsRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly money: KnownMoneyRepository,
    private readonly differences: DifferencesRepository,
    private readonly matcher: Matcher,
    private readonly compareOrders: CompareOrders,
    private readonly turn: MatchingTurn,
    private readonly slot: ComparisonSlot,
    private readonly report: MatchReport,
    private readonly unsettled: Unsettled,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'settlement.watch_failed', store, logger });
    store.writer.onCommitted((changes) => {
      this.note(changes);
    });
  }

  protected async run(): Promise<number | undefined> {
    if (!(await this.settlements.any())) {
      this.payments.clear();
      this.late.clear();
      this.orders.clear();
      return SWEEP_EVERY_MS;
    }
    await this.matchNoted();
    const isGoneOn = await this.goOn();
    if (performance.now() - this.sweptAt >= SWEEP_EVERY_MS || !this.isDone) await this.sweep();
    if (this.payments.size > 0 || !this.isDone) return SOON_MS;
    return isGoneOn ? SWEEP_EVERY_MS : AGAIN_MS;
  }

  private note({ movements = [], payment }: Changes): void {
    // A payment that is reversed before it was captured moves no money.
    const isReversed = payment?.status === 'voided';
    if ((movements.length === 0 && !isReversed) || this.payments.size >= MOST_WAITING) return;
    for (const movement of movements) {
      this.payments.add(movement.gatewayReference);
      if (isLate(movement)) this.late.add(movement.gatewayReference);
      this.orders.add(movement.reference);
    }
    if (isReversed) this.payments.add(payment.gatewayReference);
    this.wake(SOON_MS);
  }

  private async matchNoted(): Promise<void> {
    const [payments, late, orders] = [[...this.payments], [...this.late], [...this.orders]];
    this.payments = new Set();
    this.late = new Set();
    this.orders = new Set();
    try {
      await this.match(payments, orders, late);
    } catch (error) {
      for (const one of payments) this.payments.add(one);
      for (const one of late) this.late.add(one);
      for (const one of orders) this.orders.add(one);
      throw error;
    }
  }

  /** Matches those of which any report, or any difference, speaks, and `late` whatever speaks of them. */
  private async match(
    payments: readonly string[],
    orders: readonly string[],
    late: readonly string[] = [],
  ): Promise<void> {
    const isLate = new Set(late);
    for (let from = 0; from < payments.length; from += AT_ONCE) {
      const some = payments.slice(from, from + AT_ONCE);
      const told = new Set([
        ...(await this.rows.named(some)),
        ...(await this.differences.openNamed(some)),
        ...some.filter((reference) => isLate.has(reference)),
      ]);
      if (told.size > 0) await this.turn.use(() => this.matcher.match([...told]));
    }
    for (let from = 0; from < orders.length; from += AT_ONCE) {
      const told = await this.differences.openNamed(orders.slice(from, from + AT_ONCE));
      if (told.length > 0) await this.turn.use(() => this.compareOrders.match(told));
    }
  }

  private async sweep(): Promise<void> {
    const begun = performance.now();
    const pace = new Pace(() => Promise.resolve());
    if (this.sweptAt === -Infinity || begun - this.sweptAt >= SWEEP_EVERY_MS) {
      await this.sweepLedger(pace);
      this.sweptAt = begun;
    }
    this.isDone = this.stopped || (await this.unsettled.look(pace, LOOK_MS));
  }

  /** Goes on with reports whose maker has died before their rows were matched. False where somebody compares: whose they are is not known. */
  private async goOn(): Promise<boolean> {
    if ((await this.settlements.unmatched()).length === 0) return true;
    const nothing = (): Promise<void> => Promise.resolve();
    const match = async (goesOn: () => Promise<void>): Promise<void> => {
      for (const settlement of await this.settlements.unmatched())
        if (!this.stopped) await this.report.match(settlement, new Pace(goesOn));
    };
    try {
      await this.slot.use(nothing, match, 0);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
  }

  /** What was written since the last sweep: this process may not have heard of it. */
  private async sweepLedger(pace: Pace): Promise<void> {
    const now = this.store.clock.now();
    const since = await readMeta(this.store, SWEPT);
    if (since === undefined) await this.sweepDifferences(pace);
    else
      for (let after = timeBound('mov', Number(since) - OVERLAP_MS); !this.stopped;) {
        const page = await this.money.movedAfter(after, AT_ONCE);
        await this.match(
          [...new Set(page.map(({ gatewayReference }) => gatewayReference))],
          [...new Set(page.map(({ reference }) => reference))],
          page.filter(isLate).map(({ gatewayReference }) => gatewayReference),
        );
        await pace.pause();
        const last = page.at(-1);
        if (!last || page.length < AT_ONCE) break;
        after = last.id;
      }
    if (!this.stopped) await writeMeta(this.store, SWEPT, String(now));
  }

  /** For the first time: what a version before 0.3.0 has found may be over by now. */
  private async sweepDifferences(pace: Pace): Promise<void> {
    for (let after = ''; !this.stopped;) {
      const page = await this.differences.openAfter(after, AT_ONCE);
      const references = [...new Set(page.map(({ reference }) => reference))];
      await this.match(references, references);
      await pace.pause();
      const last = page.at(-1);
      if (!last || page.length < AT_ONCE) return;
      after = last.id;
    }
  }
}

/** The look for what no report has settled goes by when money moved, so it may have passed what is written a day later. */
function isLate({ at, recordedAt }: Pick<MovementRecord, 'at' | 'recordedAt'>): boolean {
  return recordedAt - at >= DAY_MS;
}
