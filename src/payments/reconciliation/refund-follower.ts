import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { PaymentRecord } from '../../store/schema.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { RefundInquiry } from '../inquiry/refund-inquiry.js';
import { QuestionSchedule } from '../schedule/question-schedule.js';

/** Questions about refunds at the same time: where they hang, nothing else waits for them. */
const MOST = 4;
const LONGEST_WAIT_FOR_ROOM_MS = 5_000;
const LOOK_FOR_ROOM_EVERY_MS = 50;

/**
 * Asks about refunds where the gateway can be asked about one: after each scheduled question about the payment, as the
 * rate of questions has room. Where it has none, the schedule comes back to the payment.
 */
@Injectable()
export class RefundFollower {
  private readonly asking = new Set<string>();

  constructor(
    private readonly refunds: RefundInquiry,
    private readonly schedule: QuestionSchedule,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Asks about the payment's open refund, or else about those whose outcome is known. Never throws. */
  async consider(payment: PaymentRecord): Promise<void> {
    const { id: paymentId } = payment;
    if (!this.refunds.mayAsk(payment) || this.asking.has(paymentId) || this.asking.size >= MOST) return;
    this.asking.add(paymentId);
    try {
      if (!(await this.room())) return;
      await (this.refunds.canAsk(payment) ? this.refunds.ask(payment) : this.refunds.askAgain(payment));
    } catch (error) {
      logFailure(this.logger, { event: 'reconciliation.refund_inquiry_failed', paymentId }, error);
    } finally {
      this.asking.delete(paymentId);
    }
  }

  private async room(): Promise<boolean> {
    const deadline = performance.now() + LONGEST_WAIT_FOR_ROOM_MS;
    while (!this.schedule.rate.take(performance.now())) {
      if (performance.now() >= deadline) return false;
      await pause(LOOK_FOR_ROOM_EVERY_MS);
    }
    return true;
  }
}
