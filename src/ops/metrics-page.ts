import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { mostOverdue } from '../payments/schedule/worth.js';
import { reasonsOf } from '../payments/state/attention.js';
import { DUPLICATES } from '../payments/state/payment-list.js';
import { Store } from '../store/store.js';
import { Metrics } from '../telemetry/metrics.js';
import { Health } from './health.js';

/** For how long a rendering is shown, however many ask. */
const RENDER_EVERY_MS = 1_000;

/** What `/metrics` shows. The gauges of open work are read from the store when they are asked for. */
@Injectable()
export class MetricsPage {
  #renderedAt = -Infinity;
  #rendering: Promise<string> | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly health: Health,
    private readonly store: Store,
  ) {}

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /** All metrics in the Prometheus text format, at most a second old. */
  text(): Promise<string> {
    const now = performance.now();
    if (this.#rendering === undefined || now - this.#renderedAt >= RENDER_EVERY_MS) {
      this.#renderedAt = now;
      this.#rendering = this.#render();
    }
    return this.#rendering;
  }

  async #render(): Promise<string> {
    const { status, reason } = await this.health.readiness();
    this.metrics.ready.set(status === 'ready' ? 1 : 0);
    try {
      if (reason === 'store') throw new Error('The store cannot be read.');
      await this.#read();
    } catch {
      // Nobody knows what the gauges would show, so they show nothing.
      const { unknownPayments, overdueCheck, duplicates, undeliveredEvents, attention } = this.metrics;
      for (const gauge of [unknownPayments, overdueCheck, duplicates, undeliveredEvents]) gauge.remove();
      attention.reset();
    }
    return this.metrics.registry.metrics();
  }

  async #read(): Promise<void> {
    const { store, metrics } = this;
    const now = store.clock.now();
    const asked = store.db.selectFrom('payments').where('next_status_check_at', 'is not', null);
    const unknown = asked.where('pending_operation', 'is not', null);
    metrics.unknownPayments.set(await countOf(unknown.select((eb) => eb.fn.countAll<number>().as('count'))));
    // While somebody holds the lease, the gateway is being asked about the payment.
    const due = await asked
      .select(['status_check_worth as worth', (eb) => eb.fn.min('next_status_check_at').as('oldest')])
      .where('lease_until', '<=', now)
      .groupBy('status_check_worth')
      .execute();
    metrics.overdueCheck.set(mostOverdue(due, now) / 1000);
    const attention = await store.db
      .selectFrom('payments')
      .select(['attention_reason', (eb) => eb.fn.countAll<number>().as('count')])
      .where('needs_attention', '=', 1)
      .groupBy('attention_reason')
      .execute();
    metrics.attention.reset();
    for (const { attention_reason: attentionReason, count } of attention)
      for (const reason of reasonsOf({ attentionReason })) metrics.attention.inc({ reason }, Number(count));
    const duplicates = await sql<{ count: number }>`
      select count(*) as count from payments where ${DUPLICATES}`.execute(store.db);
    metrics.duplicates.set(Number(duplicates.rows[0]?.count ?? 0));
    const events = store.db.selectFrom('events').where('delivery_status', '=', sql.lit('pending'));
    metrics.undeliveredEvents.set(await countOf(events.select((eb) => eb.fn.countAll<number>().as('count'))));
  }
}

async function countOf(query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).count);
}
