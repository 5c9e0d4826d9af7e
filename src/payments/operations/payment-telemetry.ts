import { Inject, Injectable } from '@nestjs/common';
import type { PaymentRecord, TimelineRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Logger } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/** Counts every move of a payment and logs one line for each outcome, after its commit. */
@Injectable()
export class PaymentTelemetry {
  constructor(
    store: Store,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    store.writer.onCommitted(({ payment, timeline }) => {
      for (const entry of timeline ?? []) if (entry.paymentId === payment?.id) this.note(payment, entry);
    });
  }

  private note(payment: PaymentRecord, entry: TimelineRecord): void {
    if (entry.toStatus !== null) this.metrics.payment(payment.method, entry.toStatus);
    if (entry.type === 'needs_attention') {
      this.logger.warn({ event: 'payment.needs_attention', ...names(payment), ...entry.detail });
    } else if (entry.type === 'status_changed') {
      const { code } = payment.failure ?? {};
      const line = {
        event: `payment.${payment.status}`,
        ...names(payment),
        from: entry.fromStatus,
        ...(entry.late && { late: true }),
        ...(entry.actor !== null && { actor: entry.actor }),
        ...(code !== undefined && { failure: code }),
      };
      // The merchant must act: no payment goes through until the credentials are mended.
      if (code === 'gateway_credentials_rejected') this.logger.error(line);
      else this.logger.info(line);
    }
  }
}

function names(payment: PaymentRecord): object {
  return { paymentId: payment.id, gatewayReference: payment.gatewayReference, method: payment.method };
}
