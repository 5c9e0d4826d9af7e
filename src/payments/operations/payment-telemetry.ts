import { Inject, Injectable } from '@nestjs/common';
import type { PaymentRecord, TimelineRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { LogFields, Logger } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import type { OperationRecord, OperationStatus } from '../../store/schema.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';

/** How an operation's status is called of a refund; an intent is no outcome. */
const REFUNDS: Readonly<Partial<Record<OperationStatus, 'succeeded' | 'failed' | 'unknown'>>> = {
  confirmed: 'succeeded',
  refused: 'failed',
  unknown: 'unknown',
};

/** Counts every move of a payment and logs one line for each outcome, after its commit. */
@Injectable()
export class PaymentTelemetry {
  constructor(
    store: Store,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    store.writer.onCommitted(({ payment, timeline, operations }) => {
      const turned = (operations ?? []).filter((operation) => hasTurned(operation, timeline ?? []));
      if (payment) for (const operation of turned) this.noteRefund(payment, operation);
      for (const entry of timeline ?? []) if (entry.paymentId === payment?.id) this.note(payment, entry);
    });
  }

  private noteRefund(payment: PaymentRecord, operation: OperationRecord): void {
    const status = REFUNDS[operation.status];
    if (operation.type !== 'refund' || status === undefined) return;
    const { id: object, actor } = operation;
    const line = { event: `payment.refund_${status}`, ...names(payment), object, actor };
    if (status === 'succeeded') this.logger.info(line);
    else this.logger.warn(line);
  }

  private note(payment: PaymentRecord, entry: TimelineRecord): void {
    if (entry.toStatus !== null)
      this.metrics.payments.inc({ method: payment.method, status: entry.toStatus });
    if (entry.type === 'needs_attention') {
      const reason = entry.detail?.['reason'];
      const why = typeof reason === 'string' ? { reason } : {};
      this.logger.warn({ event: 'payment.needs_attention', ...names(payment), ...why });
    } else if (entry.type === 'status_changed') {
      const { code } = payment.failure ?? {};
      const line = {
        event: `payment.${payment.status}`,
        ...names(payment),
        ...(entry.fromStatus !== null && { from: entry.fromStatus }),
        ...(entry.late && { kind: 'late' }),
        ...(entry.actor !== null && { actor: entry.actor }),
        ...(code !== undefined && { code }),
      };
      // The merchant must act: no payment goes through until the credentials are mended.
      if (code === 'gateway_credentials_rejected') this.logger.error(line);
      else this.logger.info(line);
    }
  }
}

/** Whether an operation has become what it is by this write. It is written too where only what is heard of it is noted. */
function hasTurned({ id, status }: OperationRecord, timeline: readonly TimelineRecord[]): boolean {
  return timeline.some(({ type, detail }) => type === `operation_${status}` && detail?.['id'] === id);
}

function names(payment: PaymentRecord): Pick<LogFields, 'paymentId' | 'gatewayReference' | 'method'> {
  return { paymentId: payment.id, gatewayReference: payment.gatewayReference, method: payment.method };
}
