import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { formatMajor } from '../money/money.js';
import { Store } from '../store/store.js';
import type { OverviewDto } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';
import { summarize } from './summary.js';
import { TotalsRepository, type Total } from './totals.repository.js';

const DAYS = 30;
/** How old an answer may be: pages that refresh themselves share one reading. */
const FRESH_MS = 5_000;

const NOT_PAID = new Set(['failed', 'canceled', 'expired']);

/** What is shown first to whoever looks after payments. */
@Injectable()
export class OverviewService {
  private last: { readonly at: number; readonly overview: Promise<OverviewDto> } | undefined;

  constructor(
    private readonly store: Store,
    private readonly totals: TotalsRepository,
    private readonly present: OverviewRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'booksTimeZone'>,
  ) {}

  /** At most 5 s old. */
  read(): Promise<OverviewDto> {
    if (this.last === undefined || performance.now() - this.last.at > FRESH_MS) {
      const overview = this.make();
      this.last = { at: performance.now(), overview };
      overview.catch(() => {
        this.last = undefined;
      });
    }
    return this.last.overview;
  }

  private async make(): Promise<OverviewDto> {
    const now = this.store.clock.now();
    const { booksTimeZone: zone } = this.config;
    const first = zone.startOf(zone.dayOf(now) - (DAYS - 1));
    const totals = await this.totals.of({ from: first, to: undefined });
    const { oldest, undelivered, openDifferences, ...open } = await this.present.openNow();
    const settlement = await this.present.lastSettlement();
    const paid = summarize(
      totals.filter(({ status }) => status === 'succeeded'),
      'day',
    );
    return {
      at: new Date(now).toISOString(),
      paid: paid.map(({ day, currency, count, captured, refunded }) => ({
        ...{ day, currency, count },
        captured: formatMajor(captured, currency),
        refunded: formatMajor(refunded, currency),
      })),
      methods: byMethod(totals),
      open: {
        ...open,
        oldest: oldest && { paymentId: oldest.id, createdAt: new Date(oldest.createdAt).toISOString() },
      },
      undeliveredEvents: undelivered,
      openDifferences,
      lastSettlement: settlement
        ? { ...settlement, receivedAt: new Date(settlement.receivedAt).toISOString() }
        : null,
    };
  }
}

/** How many payments of each method were paid, and how many ended without. What is open or held counts as neither. */
function byMethod(totals: readonly Total[]): OverviewDto['methods'] {
  const counts = new Map<string, OverviewDto['methods'][number]>();
  for (const { method, status, count } of totals) {
    const before = counts.get(method) ?? { method, paid: 0, notPaid: 0 };
    counts.set(method, {
      method,
      paid: before.paid + (status === 'succeeded' || status === 'voided' ? count : 0),
      notPaid: before.notPaid + (NOT_PAID.has(status) ? count : 0),
    });
  }
  return [...counts.values()].sort((one, other) => (one.method < other.method ? -1 : 1));
}
