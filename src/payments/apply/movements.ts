import { newId } from '../../store/ids.js';
import type { MovementKind, MovementRecord, OperationRecord, PaymentRecord } from '../../store/schema.js';
import { countedAmounts } from '../state/money-held.js';
import type { PaymentUpdate } from '../state/payment-update.js';
import { believedMoment } from './facts.js';

/** Refunds of this service's own whose money moved by a write. */
export interface MovedRefunds {
  /** They were done. */
  readonly done: readonly OperationRecord[];
  /** They had been done, and their money came back. */
  readonly returned: readonly OperationRecord[];
}

/** A write that may have moved money. */
export interface MovingWrite {
  readonly before: PaymentRecord;
  readonly after: PaymentRecord;
  readonly refunds: MovedRefunds;
  /** The operations that it writes. */
  readonly operations: readonly OperationRecord[];
  readonly update: PaymentUpdate;
}

/** What tells one movement of a write from another. */
interface Moved {
  kind: MovementKind;
  /** Minor units, above zero where the merchant has more than before. */
  sum: bigint;
  /** When, where the gateway says so and can be believed. */
  at?: number | undefined;
  operation?: OperationRecord | undefined;
}

/**
 * The entries of the ledger that a write makes, so that what was taken, given back and charged back of a payment are always the sums of its
 * entries. A void takes back all that is left. Pure but for ids.
 */
export function movementsOf(write: MovingWrite): MovementRecord[] {
  const { before, after, update, operations } = write;
  const [was, is] = [countedAmounts(before), countedAmounts(after)];
  const taken = (is.captured ?? 0n) - (was.captured ?? 0n);
  const charged = (is.disputed ?? 0n) - (was.disputed ?? 0n);
  const confirmed = (type: OperationRecord['type']): OperationRecord | undefined =>
    operations.find((one) => one.type === type && one.status === 'confirmed');
  const isNew = was.captured === null;
  const voided = before.status === 'succeeded' && after.status === 'voided';
  const left = (is.captured ?? 0n) - (is.refunded ?? 0n) - (is.disputed ?? 0n);
  const moved: Moved[] = [
    isNew
      ? { kind: 'payment', sum: taken, at: after.paidAt ?? undefined, operation: confirmed('complete') }
      : { kind: 'correction', sum: taken },
    ...movedRefunds(write, (is.refunded ?? 0n) - (was.refunded ?? 0n)),
    { kind: charged > 0n ? 'chargeback' : 'chargeback_reversal', sum: -charged },
    { kind: 'void', sum: voided && left > 0n ? -left : 0n, operation: confirmed('void') },
  ];
  const source = update.source ?? (update.resolved || update.refundResolved ? 'person' : 'gateway');
  const actor = source === 'gateway' ? 'gateway' : (update.actor ?? 'gateway');
  const entries = moved.filter(({ sum }) => sum !== 0n);
  // Of those of one moment the order of ids is the order in which money moved.
  const ids = entries.map(() => newId('mov')).sort();
  return entries.map(({ kind, sum, at, operation }, index) => ({
    id: ids[index] ?? '',
    paymentId: after.id,
    kind,
    direction: sum > 0n ? 'in' : 'out',
    amount: sum > 0n ? sum : -sum,
    currency: after.currency,
    method: after.method,
    at: at ?? after.updatedAt,
    recordedAt: after.updatedAt,
    reference: after.reference,
    gatewayReference: after.gatewayReference,
    transactionRef: after.transactionRef,
    refundId: operation?.type === 'refund' ? operation.id : null,
    textId: operation?.textId ?? null,
    actor: operation?.actor ?? actor,
    source,
    batch: null,
  }));
}

/**
 * Each refund of our own is an entry, and so is its return. What the gateway says besides is one that names none; and where it said so
 * before it was known to be our refund, that entry is taken back.
 *
 * @param rise by how much more has been given back, in minor units
 */
function movedRefunds({ after, refunds, update }: MovingWrite, rise: bigint): Moved[] {
  const at = believedMoment(update.refundedAt, after);
  const sumOf = (some: readonly OperationRecord[]): bigint =>
    some.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const besides = rise - sumOf(refunds.done) + sumOf(refunds.returned);
  return [
    ...refunds.done.map((one): Moved => ({ kind: 'refund', sum: -(one.amount ?? 0n), at, operation: one })),
    ...refunds.returned.map((one): Moved => ({
      kind: 'refund_reversal',
      sum: one.amount ?? 0n,
      operation: one,
    })),
    { kind: besides > 0n ? 'refund' : 'refund_reversal', sum: -besides, at: besides > 0n ? at : undefined },
  ];
}
