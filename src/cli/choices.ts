/** The public gateways that a profile can be begun from. */
export const WORKED_PROFILES = ['paystack', 'kora', 'mpgs', 'flutterwave', 'monnify'] as const;
export type WorkedProfile = (typeof WORKED_PROFILES)[number];

/** The types of events that `trigger` can make. The command line names them before anything else is loaded. */
export const TRIGGERS = [
  'payment.requires_action',
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
  'payment.voided',
  'payment.refunded',
  'checkout_session.paid',
  'checkout_session.closed',
] as const;

export type Trigger = (typeof TRIGGERS)[number];
