import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { formatMajor } from '../money/money.js';
import { Store } from '../store/store.js';
import type { OverviewDto } from './reports.dto.js';
import { summarize, TotalsRepository, type Total } from './totals.repository.js';
import { sql, type RawBuilder } from 'kysely';
import { DUPLICATES } from '../payments/state/payment-list.js';

/** What is open is counted up to here: beyond that a figure says nothing more. */
const COUNTED = 10_000;

const OPEN = ['processing', 'requires_action', 'authorized'] as const;

/** What is open now. Each figure stops at `COUNTED`. */
interface OpenNow {
  processing: number;
  requiresAction: number;
  authorized: number;
  needsAttention: number;
  duplicates: number;
  oldest: { id: string; createdAt: number } | null;
  undelivered: number;
  openDifferences: number;
}

/** The last settlement report. */
interface LastSettlement {
  id: string;
  receivedAt: number;
  differences: number;
}

/** Figures of the present moment, each from an index of what is open. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly store: Store) {}

  async openNow(): Promise<OpenNow> {
    const [processing = 0, requiresAction = 0, authorized = 0] = await Promise.all(
      OPEN.map((status) => this.count(sql`payments where status = ${status}`)),
    );
    const needsAttention = await this.count(sql`payments where needs_attention = 1`);
    const duplicates = await this.count(sql`payments where ${DUPLICATES}`);
    const undelivered = await this.count(sql`events where delivery_status = 'pending'`);
    return {
      processing,
      requiresAction,
      authorized,
      needsAttention,
      duplicates,
      undelivered,
      openDifferences: await this.count(sql`differences where state = 'open'`),
      oldest: await this.oldest(),
    };
  }

  async lastSettlement(): Promise<LastSettlement | undefined> {
    const { rows } = await sql<{ id: string; received_at: number; counts: string }>`
      select id, received_at, counts from settlements where finished_at is not null
      order by id desc limit 1`.execute(this.store.db);
    const [row] = rows;
    if (!row) return undefined;
    const counts = JSON.parse(row.counts) as Record<string, number>;
    // What has a former name too is counted once. Versions before 0.3.0 counted by the former names alone.
    const twice = 'settled_twice' in counts ? ['twice_there', 'missing_there'] : [];
    const differences = Object.entries(counts).reduce(
      (sum, [kind, count]) => (twice.includes(kind) ? sum : sum + count),
      0,
    );
    return { id: row.id, receivedAt: Number(row.received_at), differences };
  }

  private async count(what: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from ${what} limit ${sql.lit(COUNTED)}) as found`.execute(
      this.store.db,
    );
    return Number(rows[0]?.count);
  }

  private async oldest(): Promise<OpenNow['oldest']> {
    const parts = OPEN.map(
      (status) => sql`select * from (
        select id, created_at from payments where status = ${status} order by id limit 1) as part`,
    );
    const { rows } = await sql<{ id: string; created_at: number }>`
      ${sql.join(parts, sql` union all `)} order by id limit 1`.execute(this.store.db);
    const [row] = rows;
    return row ? { id: row.id, createdAt: Number(row.created_at) } : null;
  }
}

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
