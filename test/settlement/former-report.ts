import { payments, references, sessions } from '../../src/store/schema.js';
import { encodeRow } from '../../src/store/table.js';
import type { FormerRows } from '../harness/former-store.js';
import { HOUR, madeAt, paymentIn, referenceOf, sessionRecord } from '../harness/records.js';

/** A report as version 0.2.0 has compared it. */

export const REPORT = 'stl_mi7v0s2k3q2x7wRrUtQ1yZ0a';
const UNREAD = 'stl_mi7v0s2k3q2y7wRrUtQ1yZ0b';
export const closedAt = madeAt + HOUR;
export const finishedAt = madeAt + 90 * HOUR;

export const paid = paymentIn('succeeded', { id: 'pay_1', sessionId: 'cs_1', closedAt, updatedAt: closedAt });

/** One that the report lacked. */
export const absent = paymentIn('succeeded', {
  ...{ id: 'pay_8', reference: 'ORDER-8', gatewayReference: 'ORDER-8_1', sessionId: 'cs_8' },
  ...{ closedAt, updatedAt: closedAt },
});

const report = (id: string, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ id, digest: id, received_at: finishedAt, actor: 'merchant', first_at: madeAt, last_at: finishedAt },
  ...{ row_count: 9, counts: '{"missing_there":1,"twice_there":1}', finished_at: finishedAt, skipped: '{}' },
  ...{ paid_from: closedAt, paid_until: closedAt, orders_from: 9, orders_until: 10, ...over },
});

const found = (
  number: number,
  kind: string,
  over: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...{ settlement_id: REPORT, number, kind, line: number + 1, reference: `ORDER-${number}_1` },
  ...{ payment_id: null, amount: '140000', decimals: 2, currency: 'NGN', settled_at: closedAt, ...over },
});

const known = { reference: paid.gatewayReference, payment_id: paid.id };

/** What version 0.2.0 has found: of each kind one, in each state that something follows from. */
export const rows: FormerRows = {
  payment_references: [paid, absent].map((one) => encodeRow(references, referenceOf(one))),
  checkout_sessions: [paid, absent].map(({ sessionId: id, reference }) =>
    encodeRow(sessions, sessionRecord({ id, reference })),
  ),
  payments: [paid, absent].map((one) => encodeRow(payments, one)),
  settlements: [report(REPORT), report(UNREAD, { finished_at: null })],
  settlement_differences: [
    found(1, 'amount_differs', known),
    found(2, 'not_paid_here', { payment_id: 'pay_2', state: 'asked', due_at: finishedAt }),
    found(3, 'not_paid_here', { payment_id: 'pay_3', state: 'confirmed' }),
    found(4, 'refund_unknown_here', { payment_id: 'pay_4', state: 'unconfirmed', claimed: '140000' }),
    found(5, 'unknown_here', { state: 'left_unknown', actor: 'merchant' }),
    found(6, 'unknown_here', { payment_id: 'pay_6', state: 'adopted', actor: 'merchant' }),
    found(7, 'twice_there', known),
    found(8, 'missing_there', {
      payment_id: absent.id,
      line: null,
      amount: null,
      decimals: null,
      currency: null,
    }),
    found(9, 'order_not_paid', { reference: 'ORDER-9' }),
    found(10, 'order_paid_twice', { reference: 'ORDER-9', payment_id: 'pay_9' }),
    // Of a former list of orders, and of a report that was never read to its end.
    found(11, 'order_unknown', { reference: 'ORDER-11' }),
    found(12, 'amount_differs', { settlement_id: UNREAD }),
  ],
};
