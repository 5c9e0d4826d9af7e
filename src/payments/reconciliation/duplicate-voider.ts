import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Applier, paymentSnapshot } from '../apply/applier.js';
import { Inquiry, type Asked } from '../inquiry/inquiry.js';
import { POLICY } from '../interpret/meaning.js';
import { Engine } from '../operations/engine.js';
import { policyObstacle, type Obstacle } from '../operations/void.js';
import { FOLLOWED_AFTER_CLOSING, NEVER_PLANNED_FOR } from '../schedule/status-check-schedule.js';
import { holdsMoney } from '../state/money-held.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/** How many duplicates are read at once. */
const PAGE = 100;

/**
 * Voids duplicates where the merchant wants that (`DUPLICATE_POLICY=void`): only after fresh answers that both payments
 * were taken, as different transactions, and never the payment that pays. Where it cannot, it has a person look.
 */
@Injectable()
export class DuplicateVoider implements OnApplicationBootstrap {
  constructor(
    private readonly store: Store,
    private readonly applier: Applier,
    private readonly inquiry: Inquiry,
    private readonly engine: Engine,
    private readonly payments: PaymentsRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.payments.duplicatePolicy !== 'void') return;
    void this.store.prepared
      .then(() => this.judgeAgain())
      .catch((error: unknown) => {
        this.logger.warn({ event: 'duplicate.start_failed', reason: (error as Error).name });
      });
  }

  /** Has the gateway asked about all recent duplicates, which nobody asks about where the policy was to announce them only. */
  private async judgeAgain(): Promise<void> {
    const now = this.store.clock.now();
    let last: PaymentRecord | undefined;
    do {
      const page = await this.payments.list({ duplicate: true, needsAttention: false }, PAGE, last);
      for (const payment of page) if (isForgotten(payment, now)) await this.askNow(payment);
      last = page.length < PAGE ? undefined : page.at(-1);
    } while (last);
  }

  private askNow({ id: paymentId, reference, sessionId }: PaymentRecord): Promise<void> {
    return this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => ({
      changes: this.applier.changes(snapshot, { checkNow: true }),
      result: undefined,
    }));
  }

  /** Voids a payment that was just asked about, if it is a duplicate that may be voided. */
  async consider({ payment, taken }: Asked): Promise<void> {
    if (this.config.payments.duplicatePolicy !== 'void') return;
    if (payment.duplicateOf === null || payment.status !== 'succeeded' || !taken) return;
    const obstacle = await this.obstacleOf(payment);
    if (obstacle) {
      if (obstacle.attention) await this.raise(obstacle.of, obstacle.attention, payment.duplicateOf);
      return;
    }
    const payer = await this.inquiry.askBesides(payment.duplicateOf);
    if (!payer?.taken || !holdsMoney(payer.payment)) return;
    const outcome = await this.engine.run({ type: 'void', payment, actor: POLICY });
    this.logger.info({ event: 'duplicate.voided', paymentId: payment.id, status: outcome.payment.status });
  }

  private obstacleOf({ id: paymentId, reference, sessionId }: PaymentRecord): Promise<Obstacle | undefined> {
    return this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => ({
      changes: {},
      result: policyObstacle(paymentSnapshot(snapshot)),
    }));
  }

  /** Has a person look at a payment, unless one must already. */
  private raise(
    { id: paymentId, reference, sessionId }: PaymentRecord,
    reason: NonNullable<Obstacle['attention']>,
    payer: string,
  ): Promise<void> {
    return this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => {
      const { needsAttention } = paymentSnapshot(snapshot).payment;
      const attention = { reason, ...(reason === 'duplicate_not_voided' && { answer: payer }) };
      const changes = needsAttention ? {} : this.applier.changes(snapshot, { attention });
      return { changes, result: undefined };
    });
  }
}

/** Whether a duplicate that the policy may yet void is not asked about soon. */
function isForgotten({ nextStatusCheckAt, closedAt }: PaymentRecord, now: number): boolean {
  const isRecent = closedAt !== null && now - closedAt < FOLLOWED_AFTER_CLOSING;
  return isRecent && (nextStatusCheckAt === null || nextStatusCheckAt > now + NEVER_PLANNED_FOR);
}
