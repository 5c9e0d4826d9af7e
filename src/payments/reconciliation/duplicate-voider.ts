import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Inquiry } from '../inquiry/inquiry.js';
import type { Reading } from '../interpret/status-answer.js';
import { VoidPayment } from '../operations/void.js';
import { differentTransactions } from '../operations/void-rules.js';
import { isGivenBack } from '../state/given-back.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/**
 * Voids duplicates where the merchant wants that (`DUPLICATE_POLICY=void`): only after fresh answers that both payments
 * succeeded, as different transactions, and never the payment that was announced first.
 */
@Injectable()
export class DuplicateVoider {
  constructor(
    private readonly inquiry: Inquiry,
    private readonly voiding: VoidPayment,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Voids a payment that was just checked, if it is a duplicate that may be voided. */
  async consider(payment: PaymentRecord, reading: Reading): Promise<void> {
    if (this.config.payments.duplicatePolicy !== 'void') return;
    if (payment.duplicateOf === null || payment.status !== 'succeeded' || reading !== 'paid') return;
    if (payment.pendingOperation || payment.needsAttention || isGivenBack(payment)) return;
    const first = await this.inquiry.askBesides(payment.duplicateOf);
    if (first?.reading !== 'paid' || first.payment.status !== 'succeeded' || first.payment.pendingOperation)
      return;
    // Money that was given back pays nothing: the duplicate is what pays the order.
    if (isGivenBack(first.payment)) return;
    if (!differentTransactions(payment, first.payment)) return;
    const outcome = await this.voiding.voidDuplicate(payment);
    this.logger.info({ event: 'duplicate.voided', paymentId: payment.id, status: outcome.payment.status });
  }
}
