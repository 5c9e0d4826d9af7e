import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../background/periodic-task.js';
import { FOLLOWED_METHODS } from '../../methods/methods.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { Applier, paymentSnapshot } from '../apply/applier.js';
import { attentionByTime } from '../apply/attention-rules.js';
import { WORTHS } from '../schedule/worth.js';
import { PaymentsRepository, type CheckKind, type OverduePayment } from '../state/payments.repository.js';

const LOOK_EVERY_MS = 15_000;
/** A question that is so much overdue could not be asked: the gateway is busy, or does not answer. */
const OVERDUE_AFTER_MS = 10 * 60_000;
/** So few are read at once, and with a pause between, that a crowd of them holds nobody up. */
const PAGE = 100;
const PAUSE_MS = 100;

const KINDS: readonly CheckKind[] = WORTHS.flatMap((worth) =>
  FOLLOWED_METHODS.map(({ name }) => ({ worth, method: name })),
);

/**
 * Raises attention by time for payments about which nobody could ask, as while the gateway answers every question with 429. An answer
 * raises it otherwise, whatever it says.
 */
@Injectable()
export class OverdueAttentionWorker extends PeriodicTask {
  constructor(
    private readonly store: Store,
    private readonly payments: PaymentsRepository,
    private readonly applier: Applier,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'reconciliation.overdue_failed', store, logger });
  }

  protected async run(): Promise<number> {
    for (const kind of KINDS) await this.lookAt(kind);
    return LOOK_EVERY_MS;
  }

  private async lookAt(kind: CheckKind): Promise<void> {
    let last: OverduePayment | undefined;
    while (!this.stopped) {
      const now = this.store.clock.now();
      const page = await this.payments.overdueSince(kind, now - OVERDUE_AFTER_MS, PAGE, last);
      for (const payment of page) {
        if (!payment.needsAttention && attentionByTime(payment, now)) await this.raise(payment);
      }
      if (page.length < PAGE) return;
      last = page.at(-1);
      await pause(PAUSE_MS);
    }
  }

  private raise({ id: paymentId, reference, sessionId }: PaymentRecord): Promise<void> {
    return this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => {
      const before = paymentSnapshot(snapshot).payment;
      const changes = this.applier.changes(snapshot, {});
      const raised = !before.needsAttention && changes.payment.needsAttention;
      if (!raised) return { changes: {}, result: undefined };
      // Nobody has asked, so it stays due.
      const { nextStatusCheckAt } = before;
      return {
        changes: { ...changes, payment: { ...changes.payment, nextStatusCheckAt } },
        result: undefined,
      };
    });
  }
}
