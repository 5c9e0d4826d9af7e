import { formatMajor } from '../../money/money.js';
import type { EventOperation, OperationRecord, PaymentRecord } from '../../store/schema.js';
import { canSettledRefundMove } from '../state/operation-state.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import type { Recorder } from './recorder.js';

/** How an update changes an operation. */
type Change = NonNullable<PaymentUpdate['operations']>[number];

/** An operation as an event about it names it. Pure. */
export function named({ id, type, amount }: OperationRecord, currency: string): EventOperation {
  return {
    type,
    ...(amount !== null && { amount: formatMajor(amount, currency) }),
    ...(type === 'refund' && { refundId: id }),
  };
}

/** What a write settles of a payment's refunds, or learns of settled ones, and how much has been given back of it since. */
export class RefundEntries {
  /** Those that were settled, also the other way round. */
  private readonly settled: OperationRecord[] = [];
  /** Those of which nothing was given back after all, though that had been counted. */
  private readonly cameBack: OperationRecord[] = [];
  /** Those of them that had been done. */
  private readonly bounced: OperationRecord[] = [];
  /** Whose money moved, as far as it counts. */
  readonly moved: { done: OperationRecord[]; returned: OperationRecord[] } = { done: [], returned: [] };

  /** @param payment is changed in place */
  constructor(
    private readonly payment: PaymentRecord,
    private readonly recorder: Recorder,
  ) {}

  /** A refund whose outcome was open is settled. */
  settle(refund: OperationRecord): void {
    this.settled.push(refund);
  }

  /**
   * A refund whose outcome was known has come back, or was done after all, or only what is heard of it is noted. Returns its row;
   * undefined where there is no such refund, or it cannot become that.
   */
  turn({ id, status, settled }: Change, known: readonly OperationRecord[]): OperationRecord | undefined {
    const found = known.find((refund) => refund.id === id);
    if (!found || (found.status !== status && !canSettledRefundMove(found.status, status))) return undefined;
    const { cameBack = false, ...noted } = settled ?? {};
    const refund = { ...found, ...noted, status, updatedAt: this.payment.updatedAt };
    if (cameBack) this.cameBack.push(refund);
    if (cameBack && found.status === 'confirmed') this.bounced.push(refund);
    if (found.status === status) return refund;
    if (status === 'confirmed') this.settled.push(refund);
    this.recorder.enter(`operation_${status}`, { late: true, detail: { operation: 'refund', id } });
    return refund;
  }

  /**
   * Counts what has been given back by now, `said` being what the gateway says of it in all. What is known and a refund that was done is
   * the least, unless what became known since that was begun may hold it. The same money is announced once, whoever names it first.
   * Returns what announces it, `late` saying whether the payment itself was paid late.
   */
  take(said: bigint | undefined): ((late: boolean) => void)[] {
    const { payment, recorder, settled } = this;
    const announcements: ((late: boolean) => void)[] = [];
    const done = settled.filter(({ status }) => status === 'confirmed');
    const before = payment.amountRefunded ?? 0n;
    const least = done.reduce(
      (sum, refund) => (mayHold(before, refund) ? sum : sum + (refund.amount ?? 0n)),
      before,
    );
    const refunded = said !== undefined && said > least ? said : least;
    if (payment.status === 'succeeded') this.moved.done.push(...done);
    if (payment.status === 'succeeded' && refunded > before) {
      payment.amountRefunded = refunded;
      announcements.push((late) => {
        recorder.enter('refunded', { detail: { amount: formatMajor(refunded, payment.currency) } });
        const [own] = done;
        recorder.announce('payment.refunded', { late, operation: own && named(own, payment.currency) });
      });
    }
    if (done.length > 0) payment.refundedAt = payment.updatedAt;
    for (const refund of settled.filter(({ status }) => status === 'refused')) {
      announcements.push((late) => {
        this.announceFailed(refund, late);
      });
    }
    for (const refund of this.cameBack) {
      const left = (payment.amountRefunded ?? 0n) - (refund.amount ?? 0n);
      if (left >= 0n && this.bounced.includes(refund)) this.moved.returned.push(refund);
      payment.amountRefunded = left > 0n ? left : null;
      announcements.push(() => {
        this.announceFailed(refund, true);
      });
    }
    return announcements;
  }

  private announceFailed(refund: OperationRecord, late: boolean): void {
    const operation = named(refund, this.payment.currency);
    this.recorder.announce('payment.refund_failed', { late, operation });
  }
}

/** Whether the sum that is known holds a refund, as far as anybody can tell: it has risen by as much since that was begun. */
function mayHold(known: bigint, { refundedBefore, amount }: OperationRecord): boolean {
  return known - (refundedBefore ?? 0n) >= (amount ?? 0n);
}
