import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Store } from '../store/store.js';
import { Metrics } from '../telemetry/metrics.js';
import { Health } from './health.js';

/** What `/metrics` shows. The gauges of open work are read from the store when they are asked for. */
@Injectable()
export class MetricsPage {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly health: Health,
    private readonly store: Store,
  ) {}

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /** All metrics in the Prometheus text format. */
  async text(): Promise<string> {
    const { status, reason, restored } = await this.health.readiness();
    this.metrics.ready.set(status === 'ready' ? 1 : 0);
    this.metrics.restored.set(restored === undefined ? 0 : 1);
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
    const now = store.now();
    const [unknown, overdue, duplicates, events] = await Promise.all([
      this.#one(`select count(*) as value from payments where open_state = 'unknown'`),
      this.#one(
        'select min(check_at) as value from payments where check_at is not null and (lease_until is null or lease_until <= ?)',
        now,
      ),
      this
        .#one(`select count(*) as value from payments where duplicate_of is not null and status = 'succeeded'
        and captured - refunded - disputed_amount > 0`),
      this.#one(`select count(*) as value from events where status in ('pending', 'failed')`),
    ]);
    metrics.unknownPayments.set(unknown ?? 0);
    metrics.overdueCheck.set(overdue === null ? 0 : Math.max(0, now - overdue) / 1_000);
    metrics.duplicates.set(duplicates ?? 0);
    // Without an address nobody waits for them.
    metrics.undeliveredEvents.set(this.config.merchant.webhookUrl === undefined ? 0 : (events ?? 0));
    const reasons = await store.rows<{ reasons: string; count: number }>({
      text: 'select reasons, count(*) as count from payments where reasons is not null group by reasons',
    });
    metrics.attention.reset();
    for (const row of reasons)
      for (const reason of row.reasons.split(',')) metrics.attention.inc({ reason }, Number(row.count));
  }

  async #one(text: string, ...values: number[]): Promise<number | null> {
    const [row] = await this.store.rows<{ value: number | null }>({ text, values });
    return row?.value === undefined || row.value === null ? null : Number(row.value);
  }
}
