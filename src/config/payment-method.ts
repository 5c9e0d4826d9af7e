/** The payment methods that the service supports. Apart from the variables, whose checks take long to load. */
export const PAYMENT_METHODS = ['card', 'wallet', 'transfer', 'ussd'] as const;

/** A payment method. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
