import { formatMajor } from '../../money/money.js';
import type {
  Failure,
  NextAction,
  PaymentMethod,
  PaymentRecord,
  PaymentStatus,
  PendingOperation,
} from '../../store/schema.js';

/** A payment as every answer and event shows it. */
export interface PaymentView {
  id: string;
  livemode: boolean;
  sessionId: string;
  reference: string;
  gatewayReference: string;
  method: PaymentMethod;
  status: PaymentStatus;
  amount: string;
  amountAuthorized: string | null;
  amountCaptured: string | null;
  currency: string;
  nextAction: NextAction | null;
  pendingOperation: PendingOperation | null;
  duplicateOf: string | null;
  needsAttention: boolean;
  failure: Failure | null;
  card: { brand: string | null; last4: string } | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

/** Builds the view field by field, so that nothing that is stored comes out by accident. */
export function viewPayment(payment: PaymentRecord, livemode: boolean): PaymentView {
  const major = (minor: bigint | null): string | null =>
    minor === null ? null : formatMajor(minor, payment.currency);
  return {
    id: payment.id,
    livemode,
    sessionId: payment.sessionId,
    reference: payment.reference,
    gatewayReference: payment.gatewayReference,
    method: payment.method,
    status: payment.status,
    amount: formatMajor(payment.amount, payment.currency),
    amountAuthorized: major(payment.amountAuthorized),
    amountCaptured: major(payment.amountCaptured),
    currency: payment.currency,
    nextAction: payment.nextAction,
    pendingOperation: payment.pendingOperation,
    duplicateOf: payment.duplicateOf,
    needsAttention: payment.needsAttention,
    failure: payment.failure,
    card: payment.cardLast4 === null ? null : { brand: payment.cardBrand, last4: payment.cardLast4 },
    metadata: payment.metadata,
    createdAt: new Date(payment.createdAt).toISOString(),
    updatedAt: new Date(payment.updatedAt).toISOString(),
  };
}

/**
 * What a payer's link back from the bank shows, which may have got into other hands: how the payment ended, but nothing by which it could be
 * gone on with, nothing of the payer's card and nothing that the merchant noted.
 */
export function outcomeOnly(view: PaymentView): PaymentView {
  return { ...view, nextAction: null, card: null, metadata: {} };
}
