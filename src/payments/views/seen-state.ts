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

/** What a caller can have seen of a payment: its status, and with `requires_action` also what is to be done, as in `requires_action.otp`. */
export const SEEN_STATES: readonly string[] = [
  ...PAYMENT_STATUSES,
  ...Object.keys(ACTIONS).map((type) => `requires_action.${type}`),
];

/** Whether a payment is still as a caller has seen it: in one of `SEEN_STATES`. */
export function isAsSeen(
  { status, nextAction }: Pick<PaymentRecord, 'status' | 'nextAction'>,
  seen: string,
): boolean {
  return seen === status || (nextAction !== null && seen === `${status}.${nextAction.type}`);
}
