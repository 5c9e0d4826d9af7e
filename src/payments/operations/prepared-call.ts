import { Injectable } from '@nestjs/common';
import type { KeptValues } from '../../gateway/gateway-input.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { EchoFinder } from '../interpret/echo-finder.js';
import { withoutEchoedValues } from '../interpret/echoed.js';
import { NOTHING_SENT, type Sent } from '../interpret/sent.js';
import { holds } from '../lease/payment-lease.js';

/**
 * Commits what a call before the call has brought, so that a lost answer cannot lose it. The call itself may go out only
 * while this process still holds the payment.
 */
@Injectable()
export class PreparedCall {
  constructor(private readonly store: Store) {}

  /** Whether the call may go out. `leased`: the payment as its lease was taken. */
  async commit(leased: PaymentRecord, kept: KeptValues, sent: Sent = NOTHING_SENT): Promise<boolean> {
    const cleaned = withoutEchoedValues(kept, new EchoFinder(sent.secrets));
    if (Object.keys(cleaned).length < Object.keys(kept).length) return false;
    const { reference, sessionId, id: paymentId, leaseFence } = leased;
    return this.store.writer.write({ reference, sessionId, paymentId }, ({ payment }) => {
      if (!payment || !holds(payment, this.store.owner, leaseFence)) return { changes: {}, result: false };
      const version = payment.version + 1;
      return {
        changes: { payment: { ...payment, kept: { ...payment.kept, ...cleaned }, version } },
        result: true,
      };
    });
  }
}
