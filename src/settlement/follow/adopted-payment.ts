import { newId, timelineId } from '../../store/ids.js';
import type { PaymentRecord, SessionRecord, TimelineRecord } from '../../store/schema.js';
import { WORTH } from '../../payments/schedule/worth.js';

/** What is known of a payment that a report names and the store does not have. */
export interface Adoptee {
  /** The id that its payment gets. */
  readonly id: string;
  readonly reference: string;
  readonly gatewayReference: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly transactionRef: string | null;
  readonly actor: string;
}

/** The rows of such a payment before anything is said of its status. Pure. */
export function adoptedPayment(
  adoptee: Adoptee,
  session: Pick<SessionRecord, 'id' | 'metadata'>,
  now: number,
): { payment: PaymentRecord; created: TimelineRecord } {
  const { id, reference, gatewayReference, amount, currency, transactionRef, actor } = adoptee;
  const payment: PaymentRecord = {
    ...{ id, sessionId: session.id, reference, gatewayReference, amount, currency, transactionRef },
    method: 'unknown',
    status: 'processing',
    amountAuthorized: null,
    amountCaptured: null,
    amountRefunded: null,
    disputed: false,
    amountDisputed: null,
    disputedAt: null,
    voidDoubtfulSince: null,
    paidAt: null,
    nextAction: null,
    pendingOperation: null,
    duplicateOf: null,
    needsAttention: false,
    attentionReason: null,
    settledAnswer: null,
    unlistedWord: null,
    failure: null,
    cardBrand: null,
    cardLast4: null,
    cardFingerprint: null,
    addressFingerprint: null,
    networkFingerprint: null,
    kept: null,
    metadata: session.metadata,
    otpsSent: 0,
    pinsSent: 0,
    refundsMade: 0,
    answered: false,
    waiting: false,
    notKnownCount: 0,
    gatewayExpiresAt: null,
    nextStatusCheckAt: null,
    lastTimelineNote: null,
    statusCheckCount: 0,
    statusCheckWorth: WORTH.followUp,
    notificationChecks: null,
    notificationClaims: null,
    openSince: null,
    seenMs: 0,
    answeredAt: now,
    closedAt: null,
    heldSince: null,
    resolvedAt: null,
    eventSequence: 0,
    timelineSequence: 1,
    leaseOwner: null,
    leaseUntil: 0,
    leaseFence: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return {
    payment,
    created: {
      paymentId: id,
      sequence: 1,
      id: timelineId(id, 1),
      type: 'created',
      at: now,
      fromStatus: null,
      toStatus: 'processing',
      late: false,
      actor,
      detail: null,
    },
  };
}

/** A session of a payment that the store does not have: there is nothing left to pay in it. Pure but for its id. */
export function adoptedSession(
  { reference, amount, currency }: Adoptee,
  status: 'open' | 'paid',
  now: number,
): SessionRecord {
  return {
    id: newId('cs'),
    ...{ reference, amount, currency, status },
    closedReason: null,
    payer: null,
    billing: null,
    returnUrl: null,
    methods: [],
    metadata: {},
    declines: 0,
    eventSequence: 0,
    expiresAt: now,
    createdAt: now,
    updatedAt: now,
    finishedAt: status === 'paid' ? now : null,
    redactedAt: null,
  };
}
