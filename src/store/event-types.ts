/** What the merchant's server is told about. docs/webhooks.md says when. */
export const EVENT_TYPES = [
  'payment.requires_action',
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
  'payment.voided',
  'payment.duplicate',
  'payment.needs_attention',
  'payment.operation_refused',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'payment.dispute_won',
  'payment.resolved',
  'payment.approval_needed',
  'checkout_session.paid',
  'checkout_session.expired',
  'checkout_session.closed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
