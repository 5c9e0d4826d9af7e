import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Applier } from '../apply/applier.js';
import { paymentSnapshot } from '../apply/payment-snapshot.js';
import { Inquiry, type Asked } from '../inquiry/inquiry.js';
import { VoidPayment } from '../operations/void.js';
import { policyObstacle, type Obstacle } from '../operations/void-rules.js';
import { holdsMoney } from '../state/money-held.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/**
 * Voids duplicates where the merchant wants that (`DUPLICATE_POLICY=void`): only after fresh answers that both payments
 * were taken, as different transactions, and never the payment that pays. Where it cannot, it has a person look.
 */
@Injectable()
export class DuplicateVoider {
  constructor(
    private readonly store: Store,
    private readonly applier: Applier,
    private readonly inquiry: Inquiry,
    private readonly voiding: VoidPayment,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Voids a payment that was just asked about, if it is a duplicate that may be voided. */
  async consider({ payment, taken }: Asked): Promise<void> {
    if (this.config.payments.duplicatePolicy !== 'void') return;
    if (payment.duplicateOf === null || payment.status !== 'succeeded' || !taken) return;
    const obstacle = await this.obstacleOf(payment);
    if (obstacle) {
      if (obstacle.attention) await this.raise(obstacle.of, obstacle.attention);
      return;
    }
    const payer = await this.inquiry.askBesides(payment.duplicateOf);
    if (!payer?.taken || !holdsMoney(payer.payment)) return;
    const outcome = await this.voiding.voidDuplicate(payment);
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
  ): Promise<void> {
    return this.store.writer.write({ reference, sessionId, paymentId }, (snapshot) => {
      const { needsAttention } = paymentSnapshot(snapshot).payment;
      const changes = needsAttention ? {} : this.applier.changes(snapshot, { attention: { reason } });
      return { changes, result: undefined };
    });
  }
}
