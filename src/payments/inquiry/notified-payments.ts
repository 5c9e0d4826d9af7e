import { Injectable } from '@nestjs/common';
import { notified, type NotificationClaim } from '../schedule/notified.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { Store } from '../../store/store.js';

/** Hands notifications over to the schedule: what is to be asked stands in the payment's row, so a restart loses none. */
@Injectable()
export class NotifiedPayments {
  constructor(
    private readonly store: Store,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
  ) {}

  /** Makes a payment be asked about at once, and until the gateway's answers agree with these claims or are spent. */
  async note(paymentId: string, claims: readonly NotificationClaim[]): Promise<void> {
    const found = await this.repository.find(paymentId);
    if (!found) return;
    await this.store.writer.write({ reference: found.reference, paymentId }, ({ payment }) => {
      if (!payment) return { changes: {}, result: undefined };
      const now = this.store.clock.now();
      const underWay = this.keeper.isTaken(payment, now);
      return { changes: { payment: notified(payment, claims, underWay, now) }, result: undefined };
    });
  }
}
