import { newId, timelineId } from '../../store/ids.js';
import type { PaymentRecord, SessionRecord, TimelineRecord } from '../../store/schema.js';
import { WORTH } from '../schedule/worth.js';
import { BLANK_PAYMENT } from '../state/blank-payment.js';

/** A payment that the store does not have, as it would be taken over. */
export interface Adoptee {
  /** The id that its payment gets. */
  readonly id: string;
  readonly reference: string;
  readonly gatewayReference: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly transactionRef: string | null;
  /** One that is asked about by the query by which the gateway knows it. */
  readonly method: PaymentRecord['method'];
  readonly actor: string;
}

/** The rows of such a payment before anything is said of its status. Pure. */
export function adoptedPayment(
  adoptee: Adoptee,
  session: Pick<SessionRecord, 'id' | 'metadata'>,
  now: number,
): { payment: PaymentRecord; created: TimelineRecord } {
  const { id, reference, gatewayReference, amount, currency, transactionRef, method, actor } = adoptee;
  const payment: PaymentRecord = {
    ...BLANK_PAYMENT,
    ...{ id, sessionId: session.id, reference, gatewayReference, amount, currency, transactionRef },
    method,
    cardBrand: null,
    cardLast4: null,
    cardFingerprint: null,
    addressFingerprint: null,
    networkFingerprint: null,
    metadata: session.metadata,
    nextStatusCheckAt: null,
    statusCheckWorth: WORTH.followUp,
    openSince: null,
    answeredAt: now,
    timelineSequence: 1,
    leaseOwner: null,
    leaseUntil: 0,
    leaseFence: 0,
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
    locale: null,
    declines: 0,
    eventSequence: 0,
    expiresAt: now,
    createdAt: now,
    updatedAt: now,
    finishedAt: status === 'paid' ? now : null,
    redactedAt: null,
    emailHash: null,
    phoneHash: null,
  };
}
