import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import type { GatewayResult } from '../gateway/gateway-result.js';
import { Problem } from '../http/problem.js';
import type { PaymentRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import type { Snapshot } from '../store/write-seam.js';
import { Applier } from './applier.js';
import { judgeStatus, readStatus, type Reading, type StatusInquiry } from './judge-status.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LeaseWaiter } from './lease-waiter.js';
import { holds, isLeased, withLease } from './payment-lease.js';
import { PaymentsRepository } from './payments.repository.js';
import { subjectOf } from './subject.js';
import type { Verdict } from './verdict.js';

/** What came of asking: how the answer read and the payment as it now stands. */
export interface Asked {
  reading: Reading;
  payment: PaymentRecord;
}

/** What the asker makes of a reading, in place of the usual verdict: a cancellation does. */
export type Conclude = (reading: Reading, inquiry: StatusInquiry) => Verdict | undefined;

/** How long somebody who meets a query under way waits for it before asking anew. */
const WAIT_FOR_LEASE_MS = 10_000;

/**
 * Asks the gateway about one payment, under that payment's lease, and applies the answer. Refresh, return, cancel,
 * notifications and the schedule all come through here, so that never two ask about one payment at the same time.
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
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Asks now; waits first for a query that is under way. Throws `not-found`, or `operation-in-progress` where it lasts. */
  async ask(paymentId: string, conclude?: Conclude): Promise<Asked> {
    const deadline = performance.now() + WAIT_FOR_LEASE_MS;
    for (;;) {
      const asked = await this.tryAsk(paymentId, conclude);
      if (asked) return asked;
      if (!(await this.waiter.untilFree(paymentId, deadline - performance.now()))) {
        throw new Problem(
          'operation-in-progress',
          'Something else is being done with this payment: try again.',
          {
            paymentId,
          },
        );
      }
    }
  }

  /** Asks now, unless somebody else is at it: then undefined. */
  async tryAsk(paymentId: string, conclude?: Conclude): Promise<Asked | undefined> {
    const found = await this.repository.find(paymentId);
    if (!found) throw new Problem('not-found', 'There is no such payment.');
    const { reference, sessionId } = found;
    const leased = await this.takeLease(found);
    if (!leased) return undefined;
    const fence = leased.leaseFence;
    const result = await this.keeper.keep({ reference, paymentId, fence }, () => this.query(leased));
    const reading = readStatus(result);
    const payment = await this.store.seam.write({ reference, sessionId, paymentId }, (snapshot) => {
      const verdict = this.judge(result, reading, snapshot, fence, conclude);
      const changes = this.applier.changes(snapshot, verdict, { owner: this.store.owner, fence });
      return { changes, result: changes.payment };
    });
    return { reading, payment };
  }

  /**
   * Takes the payment's lease. An operation that is still `intended` has lost its owner, or the lease would be held:
   * it may have been sent, so it is unknown from here on.
   */
  private async takeLease(found: PaymentRecord): Promise<PaymentRecord | undefined> {
    const { reference, sessionId, id: paymentId } = found;
    return this.store.seam.write<PaymentRecord | undefined>(
      { reference, sessionId, paymentId },
      (snapshot) => {
        const now = Date.now();
        const { payment } = subjectOf(snapshot);
        if (isLeased(payment, now)) return { changes: {}, result: undefined };
        const orphans = snapshot.openOperations.filter((operation) => operation.status === 'intended');
        if (orphans.length === 0) {
          const leased = withLease(payment, this.store.owner, now);
          return { changes: { payment: leased }, result: leased };
        }
        const changes = this.applier.changes(snapshot, orphaned(payment, orphans));
        const leased = withLease(changes.payment, this.store.owner, now);
        return { changes: { ...changes, payment: leased }, result: leased };
      },
    );
  }

  private query(payment: PaymentRecord): Promise<GatewayResult> {
    const input = {
      clientRef: payment.gatewayReference,
      transactionRef: payment.transactionRef ?? undefined,
      currency: payment.currency,
    };
    return payment.method === 'transfer' || payment.method === 'ussd'
      ? this.gateway.transferUssdStatus(input)
      : this.gateway.transactionStatus(input);
  }

  private judge(
    result: GatewayResult,
    reading: Reading,
    snapshot: Snapshot,
    fence: number,
    conclude: Conclude | undefined,
  ): Verdict {
    const subject = subjectOf(snapshot);
    const inquiry: StatusInquiry = {
      ...subject,
      openOperations: subject.openOperations.filter((operation) => operation.status === 'unknown'),
      mode: this.config.gateway.mode,
      now: Date.now(),
      graceMs: this.config.gateway.notFoundGraceSeconds * 1000,
    };
    const cleaned = this.applier.clean(result, subject.session);
    const verdict = conclude?.(reading, inquiry) ?? judgeStatus(cleaned, inquiry);
    if (holds(subject.payment, this.store.owner, fence)) return verdict;
    // The lease was lost while asking: somebody newer has asked since. What the gateway said still counts, what we
    // would conclude from it ourselves does not.
    return verdict.move && verdict.move.by !== 'gateway'
      ? { ...verdict, move: undefined, notKnown: false }
      : verdict;
  }
}

function orphaned(payment: PaymentRecord, operations: readonly { id: string; type: string }[]): Verdict {
  const withCode =
    operations.some((operation) => operation.type === 'otp') && payment.status === 'requires_action';
  return {
    operations: operations.map(({ id }) => ({ id, status: 'unknown' as const })),
    finding: { type: 'owner_lost', detail: { operation: operations.map(({ type }) => type).join(' ') } },
    ...(withCode && { move: { to: 'processing', by: 'service' } }),
  };
}
