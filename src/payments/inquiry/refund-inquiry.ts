import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Store } from '../../store/store.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import { Applier, paymentSnapshot, withSeenPayment } from '../apply/applier.js';
import {
  interpretLateRefund,
  interpretRefundAgain,
  interpretRefundStatus,
} from '../interpret/interpret-refund.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import { AnswerNotes } from '../state/seen-time.js';
import { GatewayFacts } from '../state/gateway-facts.js';
import { RefundsRepository } from '../state/refunds.repository.js';
import { Inquiry } from './inquiry.js';

/** Of a payment's settled refunds so many are asked about again: a gateway answers that promptly. */
const MOST_ASKED_AGAIN = 5;

const isSettled = ({ status }: OperationRecord): boolean => status === 'confirmed' || status === 'refused';

/** A payment whose lease was taken to ask about one of its refunds. */
interface Leased {
  payment: PaymentRecord;
  refund: OperationRecord;
}

/** Asks the gateway about one refund, where its profile has an operation for that, under the payment's lease. */
@Injectable()
export class RefundInquiry {
  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
    private readonly facts: GatewayFacts,
    private readonly inquiry: Inquiry,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
    private readonly refunds: RefundsRepository,
  ) {}

  /** Whether the payment has refunds that the gateway can be asked about. */
  mayAsk({ refundsMade }: PaymentRecord): boolean {
    return refundsMade > 0 && this.gateway.supports('refundStatus');
  }

  /** Whether the gateway can be asked about a refund of this payment whose outcome is unknown. */
  canAsk({ pendingOperation }: PaymentRecord): boolean {
    return pendingOperation?.type === 'refund' && this.gateway.supports('refundStatus');
  }

  /**
   * Asks about the payment's open refund, in turn with whoever else asks about the payment, and applies the answer. Returns the
   * payment as it then stands. Throws `operation-in-progress` where somebody else takes too long.
   */
  async ask(found: PaymentRecord): Promise<PaymentRecord> {
    const leased = await this.waiter.inTurn(found.id, () => this.lease(found));
    if (leased === 'settled') return found;
    const { payment, refund } = leased;
    const lease = { reference: found.reference, paymentId: found.id, fence: payment.leaseFence };
    return this.keeper.keep(lease, async () => this.record(leased, await this.query(payment, refund)));
  }

  /**
   * Asks once more about the payment's newest refunds whose outcome is known, where the gateway can be asked: one that was done may
   * bounce later, and one that failed may be done, which needs attention. Ends at the first one without an answer. Returns the payment as it then stands. Throws `operation-in-progress` where somebody else takes
   * too long.
   */
  async askAgain(found: PaymentRecord): Promise<PaymentRecord> {
    if (!this.mayAsk(found)) return found;
    const settled = (await this.refunds.ofPayment(found.id)).filter(isSettled).slice(-MOST_ASKED_AGAIN);
    let payment = found;
    for (const refund of settled.reverse()) {
      const leased = await this.waiter.inTurn(found.id, () => this.leaseOnly(found));
      const lease = { reference: found.reference, paymentId: found.id, fence: leased.leaseFence };
      let answered = false;
      payment = await this.keeper.keep(lease, async () => {
        const result = await this.query(leased, refund);
        answered = result.kind === 'answered';
        return this.record({ payment: leased, refund }, result);
      });
      if (!answered) break;
    }
    return payment;
  }

  private async leaseOnly({ reference, sessionId, id }: PaymentRecord): Promise<PaymentRecord | undefined> {
    return this.store.writer.write<PaymentRecord | undefined>(
      { reference, sessionId, paymentId: id },
      (snapshot) => {
        const changes = this.inquiry.lease(snapshot);
        return { changes: changes ?? {}, result: changes?.payment };
      },
    );
  }

  private async lease({ reference, sessionId, id }: PaymentRecord): Promise<Leased | 'settled' | undefined> {
    return this.store.writer.write<Leased | 'settled' | undefined>(
      { reference, sessionId, paymentId: id },
      (snapshot) => {
        const { openOperations } = paymentSnapshot(snapshot);
        const refund = openOperations.find(({ type, status }) => type === 'refund' && status === 'unknown');
        if (!refund) return { changes: {}, result: 'settled' };
        const changes = this.inquiry.lease(snapshot);
        return { changes: changes ?? {}, result: changes && { payment: changes.payment, refund } };
      },
    );
  }

  private async query(payment: PaymentRecord, refund: OperationRecord): Promise<GatewayResult> {
    const facts = await this.facts.of(payment, 'refundStatus');
    return this.gateway.refundStatus({ ...facts, refundRef: refund.refundReference ?? '' });
  }

  private async record({ payment: leased, refund }: Leased, result: GatewayResult): Promise<PaymentRecord> {
    const { id: paymentId, reference, sessionId, leaseFence: fence } = leased;
    const heard = result.kind === 'answered' ? this.notes.hear(paymentId) : undefined;
    const wanted = { reference, sessionId, paymentId, settledRefunds: true };
    const written = await this.store.writer.write(wanted, (found) => {
      const snapshot = heard ? withSeenPayment(found, heard, this.store.clock.now()) : found;
      const { payment, openOperations, settledRefunds, session } = paymentSnapshot(snapshot);
      const recorded = settledRefunds?.find(({ id }) => id === refund.id) ?? refund;
      const cleaned = this.applier.clean(result, session);
      const current = openOperations.find(({ id }) => id === refund.id);
      const update = current
        ? interpretRefundStatus(cleaned, {
            ...{ payment, operation: current },
            ...(settledRefunds && { settledRefunds }),
          })
        : isSettled(refund)
          ? interpretRefundAgain(cleaned, { payment, operation: recorded })
          : (interpretLateRefund(cleaned, { payment, operation: recorded }) ?? {});
      const changes = this.applier.changes(snapshot, update, { owner: this.store.owner, fence });
      return { changes, result: changes.payment };
    });
    if (heard) this.notes.keep(written, heard);
    return written;
  }
}
