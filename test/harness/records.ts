import { BLANK_PAYMENT } from '../../src/payments/state/blank-payment.js';
import type { GatewayAnswer, GatewayMeaning, GatewayResult } from '../../src/gateway/gateway-result.js';
import type {
  OperationRecord,
  PaymentRecord,
  PaymentStatus,
  ReferenceRecord,
  SessionRecord,
} from '../../src/store/schema.js';

/** Rows and answers as input of the service's pure functions, for table tests. All are about one payment of 1500.00 NGN. */

/** When the usual payment was created. */
export const madeAt = Date.UTC(2026, 10, 21, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const statuses: readonly PaymentStatus[] = [
  'processing',
  'requires_action',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'expired',
  'voided',
];

/** The payment right after its intent was committed. */
export function paymentRecord(over: Partial<PaymentRecord> = {}): PaymentRecord {
  return {
    ...BLANK_PAYMENT,
    id: 'pay_1',
    sessionId: 'cs_1',
    reference: 'ORDER-1',
    gatewayReference: 'ORDER-1_1',
    method: 'card',
    amount: 150_000n,
    currency: 'NGN',
    cardBrand: 'verve',
    cardLast4: '7499',
    cardFingerprint: 'card-hash',
    networkFingerprint: null,
    addressFingerprint: 'address-hash',
    transactionRef: null,
    metadata: { cart: '42' },
    nextStatusCheckAt: null,
    statusCheckWorth: 1,
    openSince: madeAt,
    answeredAt: madeAt,
    timelineSequence: 2,
    leaseOwner: null,
    leaseUntil: 0,
    leaseFence: 1,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...over,
  };
}

/** A payment in a given status, with the values that belong to that status. */
export function paymentIn(status: PaymentStatus, over: Partial<PaymentRecord> = {}): PaymentRecord {
  const waits: Partial<PaymentRecord> = {
    nextAction: { type: 'redirect', url: 'https://bank.example/', method: 'GET' },
    answered: true,
    waiting: true,
  };
  const closed = { answered: true, closedAt: madeAt, openSince: null };
  const failed = { code: 'declined', message: 'Declined', retryable: false } as const;
  const own: Record<PaymentStatus, Partial<PaymentRecord>> = {
    processing: {},
    requires_action: waits,
    authorized: { answered: true, amountAuthorized: 150_000n, openSince: null, heldSince: madeAt },
    succeeded: { ...closed, amountCaptured: 150_000n },
    failed: { ...closed, failure: failed },
    canceled: { ...closed, failure: { ...failed, code: 'canceled' } },
    expired: { ...closed, failure: { ...failed, code: 'expired' } },
    voided: { ...closed, amountCaptured: 150_000n },
  };
  return paymentRecord({ status, ...own[status], ...over });
}

export function sessionRecord(over: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: 'cs_1',
    reference: 'ORDER-1',
    amount: 150_000n,
    currency: 'NGN',
    status: 'open',
    closedReason: null,
    payer: { email: 'ada@example.com' },
    billing: null,
    returnUrl: null,
    methods: ['card', 'wallet', 'transfer', 'ussd'],
    metadata: { cart: '42' },
    locale: null,
    declines: 0,
    eventSequence: 0,
    expiresAt: madeAt + 30 * MINUTE,
    createdAt: madeAt - MINUTE,
    updatedAt: madeAt - MINUTE,
    finishedAt: null,
    redactedAt: null,
    emailHash: null,
    phoneHash: null,
    ...over,
  };
}

/** The row of a reference that has only this payment. */
export function referenceOf(payment: PaymentRecord, over: Partial<ReferenceRecord> = {}): ReferenceRecord {
  const { id, status, reference, sessionId } = payment;
  const live = status === 'processing' || status === 'requires_action' || status === 'authorized';
  return {
    reference,
    attempts: 1,
    livePaymentIds: live ? [id] : [],
    paidPaymentIds: status === 'succeeded' ? [id] : [],
    sessionId,
    names: [],
    heldSince: null,
    namesDueAt: null,
    ...over,
  };
}

export function operationRecord(over: Partial<OperationRecord> = {}): OperationRecord {
  return {
    id: `op_${over.type ?? 'pay'}`,
    paymentId: 'pay_1',
    type: 'pay',
    status: 'unknown',
    amount: null,
    reason: null,
    textId: null,
    refundReference: null,
    refundedBefore: null,
    refundBaselineSaid: over.type === 'refund',
    inSum: false,
    fallHeardAt: null,
    owner: 'own_1',
    actor: 'payer',
    formerCount: 0,
    seenFromMs: 0,
    acceptedAt: null,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...over,
  };
}

/** An answer of the gateway with this meaning. */
export function gatewayAnswer(meaning: GatewayMeaning, over: Partial<GatewayAnswer> = {}): GatewayAnswer {
  return { meaning, amountRequired: false, ...over };
}

export function answered(meaning: GatewayMeaning, over: Partial<GatewayAnswer> = {}): GatewayResult {
  return { kind: 'answered', answer: gatewayAnswer(meaning, over) };
}

export const ownMoney = { amount: 150_000n, currency: 'NGN' } as const;
