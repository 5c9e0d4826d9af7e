import { formatMajor } from '../../money/money.js';
import type { PaymentDto, RefundDto, SessionDto, SessionEventDto, TimelineEntryDto } from './payment.dto.js';
import { paidBy } from './orders.js';
import { openOperation, type Operation, type OrderState, type Payment, type Session } from './payment.js';

/** A payment as answers and events show it, built field by field. */
export function paymentView(state: OrderState, payment: Payment, livemode: boolean): PaymentDto {
  const { currency, card } = payment;
  const amount = (value: bigint | null) =>
    value === null || value === 0n ? null : formatMajor(value, currency);
  const pending = openOperation(payment);
  return {
    id: payment.id,
    livemode,
    sessionId: payment.sessionId,
    reference: payment.reference,
    gatewayReference: payment.gatewayReference,
    transactionRef: payment.transactionRef,
    method: payment.method,
    status: payment.status,
    amount: formatMajor(payment.amount, currency),
    amountAuthorized: amount(payment.authorized),
    amountCaptured: amount(payment.captured),
    amountRefunded: amount(payment.refunded),
    amountDisputed: amount(payment.disputedAmount),
    currency,
    nextAction: nextActionOf(state, payment),
    pendingOperation: pending
      ? {
          type: pending.type,
          ...(pending.amount === undefined ? {} : { amount: formatMajor(pending.amount, currency) }),
          since: timeText(pending.since),
        }
      : null,
    disputed: payment.disputed,
    duplicateOf: payment.duplicateOf,
    needsAttention: payment.attention.length > 0,
    attentionReasons: payment.attention.map(({ reason }) => reason),
    failure: payment.failure,
    card: card && { brand: card.brand, last4: card.last4 },
    metadata: payment.metadata,
    paidAt: timeText(payment.paidAt),
    createdAt: timeText(payment.createdAt),
    updatedAt: timeText(payment.updatedAt),
  };
}

export function refundView(payment: Payment, refund: Operation): RefundDto {
  const status =
    refund.state === 'confirmed' ? 'succeeded' : refund.state === 'refused' ? 'failed' : 'processing';
  return {
    id: refund.id,
    paymentId: payment.id,
    amount: formatMajor(refund.amount ?? 0n, payment.currency),
    status,
    reason: refund.reason ?? null,
    createdAt: timeText(refund.since),
    ...(refund.late ? { late: true as const } : {}),
  };
}

export function sessionView(reference: string, session: Session, livemode: boolean): SessionDto {
  return {
    id: session.id,
    livemode,
    status: session.status,
    reference,
    amount: formatMajor(session.amount, session.currency),
    currency: session.currency,
    returnUrl: session.returnUrl,
    methods: session.methods,
    locale: session.locale,
    expiresAt: timeText(session.expiresAt),
    createdAt: timeText(session.createdAt),
  };
}

export function sessionEventView(reference: string, session: Session, livemode: boolean): SessionEventDto {
  const { closedReason, metadata } = session;
  return { ...sessionView(reference, session, livemode), closedReason, metadata };
}

/** Lines are only ever added, so that their places name them. */
export function timelineView({ id, timeline }: Payment): TimelineEntryDto[] {
  return timeline.map(({ at, ...line }, place) => ({
    id: `tle_${id.slice(id.indexOf('_') + 1)}${place.toString(36).padStart(2, '0')}`,
    ...line,
    at: timeText(at),
  }));
}

/** RFC 3339 in UTC. */
export function timeText<T extends number | null>(at: T): T extends null ? null : string;
export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Nothing that charges may be done once the order is paid, nor while a code is being checked. */
export function nextActionOf(state: OrderState, payment: Payment): Payment['nextAction'] {
  const open = openOperation(payment);
  if (open?.type === 'otp' || open?.type === 'pin') return null;
  if (state.order && paidBy(state.order, state.payments) !== undefined) return null;
  return payment.nextAction;
}
