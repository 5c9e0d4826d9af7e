import { PAYMENT_STATUSES, type NextAction, type PaymentRecord } from '../../store/schema.js';

/** A record, so that no type of action can be left out: a page that has seen it would be refused. */
const ACTIONS: Readonly<Record<NextAction['type'], true>> = {
  redirect: true,
  otp: true,
  pin: true,
  transfer: true,
  ussd: true,
  unsupported: true,
};

/** How a payment can stand for its payer: its status, and with `requires_action` also what is to be done, as in `requires_action.otp`. */
export const STANDINGS: readonly string[] = [
  ...PAYMENT_STATUSES,
  ...Object.keys(ACTIONS).map((type) => `requires_action.${type}`),
];

/** Whether a payment stands as a caller has seen it, by one of `STANDINGS`. */
export function standsAs(
  { status, nextAction }: Pick<PaymentRecord, 'status' | 'nextAction'>,
  seen: string,
): boolean {
  return seen === status || (nextAction !== null && seen === `${status}.${nextAction.type}`);
}
