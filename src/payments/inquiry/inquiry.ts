import { Injectable } from '@nestjs/common';
import { Gateway } from '../../gateway/gateway.js';
import type { GatewayResult } from '../../gateway/gateway-result.js';
import { Problem } from '../../http/problems/problem.js';
import { methodOf } from '../../methods/methods.js';
import type { PaymentRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import type { Changes, Snapshot } from '../../store/payment-writer.js';
import { Applier } from '../apply/applier.js';
import { interpretStatus } from '../interpret/interpret-status.js';
import { readStatus, type Reading, type StatusInquiry } from '../interpret/status-answer.js';
import { LeaseKeeper } from '../lease/lease-keeper.js';
import { LeaseWaiter } from '../lease/lease-waiter.js';
import { holds, withLease } from '../lease/payment-lease.js';
import { AnswerNotes } from '../state/answer-notes.js';
import { orphaned } from '../state/orphaned.js';
import { gatewayReferences } from '../state/gateway-references.js';
import { PaymentsRepository } from '../state/payments.repository.js';
import { paymentSnapshot, withSeenPayment } from '../apply/payment-snapshot.js';
import { afterLostLease } from '../lease/lost-lease.js';
import type { PaymentUpdate } from '../state/payment-update.js';

/** The result of asking: how the answer reads, and the payment as it now stands. */
export interface Asked {
  reading: Reading;
  payment: PaymentRecord;
}

/** What a caller may add to an inquiry. */
export interface InquiryOptions {
  /** The idempotency key that `end` writes or gives back. */
  idempotency?: { scope: string; key: string };
  /** Whether the schedule asks. */
  scheduled?: boolean;
  /** An update in place of the usual one. */
  conclude?: (reading: Reading, inquiry: StatusInquiry) => PaymentUpdate | undefined;
  /** What is written together with the answer. */
  end?: (asked: Asked) => Pick<Changes, 'idempotency' | 'releaseIdempotency'>;
}

/**
 * Asks the gateway about one payment, under that payment's lease, and applies the answer. Refresh, return,
 * cancellation, notifications and the schedule all use it, so the gateway is never asked twice about one payment at the
 * same time.
 */
@Injectable()
export class Inquiry {
  constructor(
    private readonly store: Store,
    private readonly gateway: Gateway,
    private readonly repository: PaymentsRepository,
    private readonly keeper: LeaseKeeper,
    private readonly waiter: LeaseWaiter,
    private readonly applier: Applier,
    private readonly notes: AnswerNotes,
  ) {}

  /**
   * Asks now, or waits for a query that is under way. Throws `not-found`, or `operation-in-progress` where that query
   * takes too long.
   */
  ask(paymentId: string): Promise<Asked> {
    return this.waiter.inTurn(paymentId, () => this.tryAsk(paymentId, false));
  }

  /** Asks now. Undefined where another request holds the lease. `scheduled` says that the schedule asks. */
  async tryAsk(paymentId: string, scheduled: boolean): Promise<Asked | undefined> {
    const found = await this.repository.find(paymentId);
    if (!found) throw new Problem('not-found', 'There is no such payment.');
    const { reference, sessionId } = found;
    const leased = await this.store.writer.write<PaymentRecord | undefined>(
      { reference, sessionId, paymentId },
      (snapshot) => {
        const changes = this.lease(snapshot);
        return { changes: changes ?? {}, result: changes?.payment };
      },
    );
    return leased && this.askHolding(leased, { scheduled });
  }

  /**
   * The changes that take the payment's lease; undefined where another request holds it. An operation that is still
   * `intended` while the lease is free was left behind by a process that died. It may have been sent, so it becomes
   * unknown.
   */
  lease(snapshot: Snapshot): (Changes & { payment: PaymentRecord }) | undefined {
    const now = this.store.clock.now();
    const { payment, openOperations } = paymentSnapshot(snapshot);
    if (this.keeper.isTaken(payment, now)) return undefined;
    const orphans = openOperations.filter((operation) => operation.status === 'intended');
    if (orphans.length === 0) return { payment: withLease(payment, this.store.owner, now) };
    const changes = this.applier.changes(snapshot, orphaned(payment, orphans));
    return { ...changes, payment: withLease(changes.payment, this.store.owner, now) };
  }

  /** Asks about a payment whose lease was just taken, applies the answer and gives the lease back. */
  async askHolding(leased: PaymentRecord, options: InquiryOptions = {}): Promise<Asked> {
    const { id: paymentId, reference, leaseFence: fence } = leased;
    return this.keeper.keep({ reference, paymentId, fence }, async () =>
      this.record(leased, await this.query(leased), options),
    );
  }

  private async record(
    leased: PaymentRecord,
    result: GatewayResult,
    options: InquiryOptions,
  ): Promise<Asked> {
    const { id: paymentId, reference, sessionId, leaseFence: fence } = leased;
    const heard = result.kind === 'answered' ? this.notes.hear(paymentId) : undefined;
    const wanted = { reference, sessionId, paymentId, idempotency: options.idempotency };
    const asked = await this.store.writer.write<Asked>(wanted, (found) => {
      const snapshot = heard ? withSeenPayment(found, heard, this.store.clock.now()) : found;
      const inquiry = this.applier.inquiry(snapshot);
      const reading = readStatus(result, inquiry);
      const interpreted = this.interpret(result, reading, inquiry, fence, options);
      const update = { ...interpreted, scheduled: options.scheduled };
      const changes = this.applier.changes(snapshot, update, { owner: this.store.owner, fence });
      const after = { reading, payment: changes.payment };
      return { changes: { ...changes, ...options.end?.(after) }, result: after };
    });
    if (heard) this.notes.keep(asked.payment, heard);
    return asked;
  }

  private query(payment: PaymentRecord): Promise<GatewayResult> {
    return this.gateway[methodOf(payment.method).statusQuery](gatewayReferences(payment));
  }

  private interpret(
    result: GatewayResult,
    reading: Reading,
    inquiry: StatusInquiry,
    fence: number,
    options: InquiryOptions,
  ): PaymentUpdate {
    const cleaned = this.applier.clean(result, inquiry.session);
    const update = options.conclude?.(reading, inquiry) ?? interpretStatus(cleaned, inquiry);
    return holds(inquiry.payment, this.store.owner, fence) ? update : afterLostLease(update);
  }
}
