import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import { mostOverdue, WORTHS } from '../payments/schedule/worth.js';
import { DUPLICATES } from '../payments/state/payment-list.js';
import { PaymentsRepository } from '../payments/state/payments.repository.js';
import { Store } from '../store/store.js';
import { Metrics } from '../telemetry/metrics.js';

const EVERY_MS = 15_000;

/**
 * Updates the gauges of open work: unknown outcomes, late inquiries, waiting events and notifications, and payments that
 * need a person. While the store cannot be read, they show nothing.
 */
@Injectable()
export class OpenPaymentsGauge implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    void this.store.prepared.then(() => {
      void this.measure();
      this.timer = setInterval(() => void this.measure(), EVERY_MS).unref();
    });
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    try {
      const now = this.store.clock.now();
      await this.measurePayments(now);
      await this.measureEvents(now);
      await this.measureNotifications(now);
    } catch {
      this.metrics.store.unread();
    }
  }

  private async measurePayments(now: number): Promise<void> {
    const gauges = this.metrics.store;
    const asked = this.store.db.selectFrom('payments').where('next_status_check_at', 'is not', null);
    const open = await asked
      .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.min('open_since').as('oldest')])
      .where('pending_operation', 'is not', null)
      .executeTakeFirstOrThrow();
    gauges.unknownOpen.set(Number(open.open));
    gauges.unknownOldest.set(secondsSince(open.oldest, now));
    // While somebody holds the lease, the gateway is being asked about the payment.
    const due = await asked
      .select(['status_check_worth as worth', (eb) => eb.fn.min('next_status_check_at').as('oldest')])
      .where('lease_until', '<=', now)
      .groupBy('status_check_worth')
      .execute();
    gauges.inquiryOverdue.set(mostOverdue(due, now) / 1000);
    gauges.questionsDue(await this.payments.dueByWorth(WORTHS, now));
    const attention = await this.store.db
      .selectFrom('payments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('needs_attention', '=', 1)
      .executeTakeFirstOrThrow();
    gauges.needsAttention.set(Number(attention.count));
    const duplicates = await sql<{ count: number }>`
      select count(*) as count from payments where ${DUPLICATES}`.execute(this.store.db);
    gauges.duplicates.set(Number(duplicates.rows[0]?.count ?? 0));
    const held = await this.store.db
      .selectFrom('payment_references')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('held_since', 'is not', null)
      .executeTakeFirstOrThrow();
    gauges.heldReferences.set(Number(held.count));
  }

  private async measureEvents(now: number): Promise<void> {
    const waiting = await this.store.db
      .selectFrom('events')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
      .where('delivery_status', '=', sql.lit('pending'))
      .executeTakeFirstOrThrow();
    this.metrics.store.eventsWaiting.set(Number(waiting.count));
    this.metrics.store.eventsOldest.set(secondsSince(waiting.oldest, now));
  }

  private async measureNotifications(now: number): Promise<void> {
    const waiting = await this.store.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.min('received_at').as('oldest'))
      .where('status', '=', sql.lit('received'))
      .executeTakeFirstOrThrow();
    this.metrics.store.notificationsOldest.set(secondsSince(waiting.oldest, now));
  }
}

function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - Number(at)) / 1000;
}
