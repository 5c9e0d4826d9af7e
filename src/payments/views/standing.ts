import { PAYMENT_STATUSES, type NextAction, type PaymentRecord } from '../../store/schema.js';

const ACTIONS: readonly NextAction['type'][] = ['redirect', 'otp', 'pin', 'transfer', 'ussd', 'unsupported'];

/** How a payment can stand for its payer: its status, and with `requires_action` also what is to be done, as in `requires_action.otp`. */
export const STANDINGS: readonly string[] = [
  ...PAYMENT_STATUSES,
  ...ACTIONS.map((type) => `requires_action.${type}`),
];

/** Whether a payment stands as a caller has seen it, by one of `STANDINGS`. */
export function standsAs(
  { status, nextAction }: Pick<PaymentRecord, 'status' | 'nextAction'>,
  seen: string,
): boolean {
  return seen === status || (nextAction !== null && seen === `${status}.${nextAction.type}`);
}
