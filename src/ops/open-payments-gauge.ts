import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Store } from '../store/store.js';
import { Metrics } from '../telemetry/metrics.js';

const EVERY_MS = 15_000;

/** Keeps the gauges of what is open: outcomes that are unknown, how old the oldest is, and what needs a person. */
@Injectable()
export class OpenPaymentsGauge implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    void this.store.prepared.then(() => {
      void this.measure();
      this.timer = setInterval(() => void this.measure(), EVERY_MS).unref();
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    try {
      const open = await this.store.db
        .selectFrom('payments')
        .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.min('open_since').as('oldest')])
        .where('ask_at', 'is not', null)
        .where('pending_operation', 'is not', null)
        .executeTakeFirstOrThrow();
      const attention = await this.store.db
        .selectFrom('payments')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('needs_attention', '=', 1)
        .executeTakeFirstOrThrow();
      const oldest = open.oldest as number | null;
      this.metrics.outcomesUnknown(
        Number(open.open),
        oldest === null ? 0 : Math.max(0, Date.now() - oldest) / 1000,
      );
      this.metrics.paymentsNeedingAttention(Number(attention.count));
    } catch {
      // A store that does not answer shows in its own figures.
    }
  }
}
