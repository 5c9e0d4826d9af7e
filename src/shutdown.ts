import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Gateway } from './gateway/gateway.js';
import { DeliveryWorker } from './merchant-webhooks/delivery-worker.js';
import { Sequencer } from './merchant-webhooks/sequencer.js';
import { InboxWriter } from './notifications/inbox-writer.js';
import { NotificationHandover } from './notifications/notification-handover.js';
import { Health, ReadinessGauge } from './ops/health.js';
import { OpenPaymentsGauge } from './ops/open-payments-gauge.js';
import { RetentionWorker } from './ops/retention.worker.js';
import { PaymentWaiters } from './payments/api/payment-waiters.js';
import { LeaseKeeper } from './payments/lease/lease-keeper.js';
import { UnsentIntents } from './payments/operations/durable-writer.js';
import { OverdueAttentionWorker } from './payments/reconciliation/overdue-attention.worker.js';
import { SessionExpiryWorker } from './payments/reconciliation/session-expiry.worker.js';
import { StatusCheckWorker } from './payments/reconciliation/status-check.worker.js';
import { SearchIndexWorker } from './payments/search/search-index.worker.js';
import { Store } from './store/store.js';

type Ends = void | Promise<void>;
type Parts<M extends string> = readonly { prototype: Record<M, () => Ends> }[];

/** What begins nothing new, while requests are still being answered. One step after the other, the parts of a step at the same time. */
export const STOPPED: readonly Parts<'stop'>[] = [
  // Calls that only wait are answered now.
  [PaymentWaiters, UnsentIntents],
  [
    StatusCheckWorker,
    OverdueAttentionWorker,
    SessionExpiryWorker,
    RetentionWorker,
    SearchIndexWorker,
    NotificationHandover,
    InboxWriter,
  ],
  // What these have written is still told.
  [Sequencer],
  [DeliveryWorker],
];

/** What ends after the last answer, in the same way. */
export const CLOSED: readonly Parts<'close'>[] = [
  [Health, ReadinessGauge, OpenPaymentsGauge],
  [LeaseKeeper],
  [Gateway],
  [Store],
];

/** Ends everything that runs by itself, in one order. */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly modules: ModuleRef) {}

  async beforeApplicationShutdown(): Promise<void> {
    for (const step of STOPPED) await Promise.all(step.map(async (part) => this.one(part).stop()));
  }

  async onApplicationShutdown(): Promise<void> {
    for (const step of CLOSED) await Promise.all(step.map(async (part) => this.one(part).close()));
  }

  private one<P>(part: { prototype: P }): P {
    return this.modules.get<P>(part as unknown as Type<P>, { strict: false });
  }
}
