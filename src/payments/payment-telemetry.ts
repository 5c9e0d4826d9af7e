import { Inject, Injectable } from '@nestjs/common';
import { Store } from '../store/store.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import type { Payment } from './core/payment.js';

/** Logs and counts every move of a payment, from the timeline of what was committed. */
@Injectable()
export class PaymentTelemetry {
  constructor(
    store: Store,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    store.onCommitted(({ payments }) => {
      for (const payment of payments) this.tell(payment);
    });
  }

  private tell(payment: Payment): void {
    for (const { type, at, from, to, actor } of payment.timeline) {
      if (at !== payment.updatedAt || to === undefined) continue;
      this.metrics.payments.inc({ method: payment.method, status: to });
      // Its request's line tells of its beginning.
      if (type === 'created') continue;
      this.logger.info({
        event: 'payment.moved',
        paymentId: payment.id,
        gatewayReference: payment.gatewayReference,
        method: payment.method,
        status: to,
        ...(from === undefined ? {} : { from }),
        ...(actor === null ? {} : { actor }),
        ...(payment.failure ? { code: payment.failure.code } : {}),
      });
    }
  }
}
