import { Injectable } from '@nestjs/common';
import type { KeptValues } from '../gateway/gateway-input.js';
import type { PaymentRecord } from '../store/schema.js';
import { Store } from '../store/store.js';

/**
 * Keeps the values that the profile takes from notifications for later calls. They move nothing by themselves, and where
 * money is real only authenticated notifications are taken at all.
 */
@Injectable()
export class KeptOfNotification {
  constructor(private readonly store: Store) {}

  /** Commits them, before the notification is answered. Of several with one name the newest counts. */
  async take({ id: paymentId, reference, sessionId }: PaymentRecord, kept: KeptValues): Promise<void> {
    if (Object.keys(kept).length === 0) return;
    await this.store.writer.write({ reference, sessionId, paymentId }, ({ payment }) => {
      const isNews = payment && Object.entries(kept).some(([name, text]) => payment.kept?.[name] !== text);
      if (!isNews) return { changes: {}, result: undefined };
      const changed = { ...payment, kept: { ...payment.kept, ...kept }, version: payment.version + 1 };
      return { changes: { payment: changed }, result: undefined };
    });
  }
}
