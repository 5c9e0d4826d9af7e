import { clientRefOf, type ReferenceForm } from '../../gateway/requests/client-ref.js';
import { newId, payOperationId, timelineId } from '../../store/ids.js';
import type {
  OperationRecord,
  PaymentMethod,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
} from '../../store/schema.js';
import { NO_REFUND } from '../../store/payment-row.js';
import type { Changes } from '../../store/payment-writer.js';
import { WORTH } from '../schedule/worth.js';
import { BLANK_PAYMENT } from '../state/blank-payment.js';
import { LEASE_MS } from '../lease/payment-lease.js';

/** What is known of a payment before it is sent to the gateway. */
export interface PaymentStart {
  method: PaymentMethod;
  card?: { brand: string | null; last4: string; fingerprint: string; networkFingerprint: string | null };
  addressFingerprint: string;
}

/**
 * The rows of a new payment, with its `pay` operation `intended` and its lease taken. They are committed before anything
 * is sent. The reference names the payment as live, so that no second one can start beside it. Pure but for ids.
 */
export function newPayment(
  session: SessionRecord,
  reference: ReferenceRecord,
  start: PaymentStart,
  owner: string,
  now: number,
  form: ReferenceForm = { separator: '_' },
): Changes & { payment: PaymentRecord; operation: OperationRecord } {
  const attempts = reference.attempts + 1;
  const id = newId('pay', now);
  const operation: OperationRecord = {
    id: payOperationId(id),
    paymentId: id,
    type: 'pay',
    status: 'intended',
    amount: null,
    ...NO_REFUND,
    owner,
    actor: 'payer',
    formerCount: 0,
    seenFromMs: 0,
    acceptedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const payment: PaymentRecord = {
    ...BLANK_PAYMENT,
    id,
    sessionId: session.id,
    reference: reference.reference,
    gatewayReference: clientRefOf(reference.reference, attempts, form),
    method: start.method,
    amount: session.amount,
    currency: session.currency,
    cardBrand: start.card?.brand ?? null,
    cardLast4: start.card?.last4 ?? null,
    cardFingerprint: start.card?.fingerprint ?? null,
    addressFingerprint: start.addressFingerprint,
    networkFingerprint: start.card?.networkFingerprint ?? null,
    transactionRef: null,
    metadata: session.metadata,
    // If this process dies, the status check after the lease's end finds out what happened.
    nextStatusCheckAt: now + LEASE_MS,
    statusCheckWorth: WORTH.unknown,
    openSince: now,
    answeredAt: now,
    timelineSequence: 2,
    leaseOwner: owner,
    leaseUntil: now + LEASE_MS,
    leaseFence: 1,
    createdAt: now,
    updatedAt: now,
  };
  const entry = { paymentId: id, at: now, fromStatus: null, late: false, actor: 'payer' };
  return {
    reference: { ...reference, attempts, livePaymentIds: [...reference.livePaymentIds, id] },
    payment,
    operation,
    operations: [operation],
    timeline: [
      { ...entry, sequence: 1, id: timelineId(id, 1), type: 'created', toStatus: 'processing', detail: null },
      {
        ...entry,
        sequence: 2,
        id: timelineId(id, 2),
        type: 'operation_intended',
        toStatus: null,
        detail: { operation: 'pay', id: operation.id },
      },
    ],
  };
}
