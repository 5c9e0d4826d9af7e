import { Injectable } from '@nestjs/common';
import { notified, type Notice } from '../schedule/notified.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';

/** Hands notifications over to the schedule: what is to be asked stands in the payment's row, so a restart loses none. */
@Injectable()
export class NotifiedPayments {
  constructor(
    private readonly store: Store,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
  ) {}

  /** Has a payment asked about as far as what came can change it, until the gateway's answers agree or are spent. */
  async note(paymentId: string, notice: Notice): Promise<void> {
    const found = await this.repository.find(paymentId);
    if (!found || !this.told(found, notice)) return;
    await this.store.writer.write({ reference: found.reference, paymentId }, ({ payment }) => {
      const told = payment && this.told(payment, notice);
      return { changes: told ? { payment: told } : {}, result: undefined };
    });
  }

  private told(payment: PaymentRecord, notice: Notice): PaymentRecord | undefined {
    const now = this.store.clock.now();
    return notified(payment, notice, this.keeper.isTaken(payment, now), now);
  }
}
