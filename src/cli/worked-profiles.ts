/** The public gateways that a profile can be begun from. */
export const WORKED_PROFILES = ['paystack', 'kora', 'mpgs', 'flutterwave', 'monnify'] as const;
export type WorkedProfile = (typeof WORKED_PROFILES)[number];
