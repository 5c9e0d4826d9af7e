import { Problem } from '../../http/problems/problem.js';
import { formatMajor, parseMajor } from '../../money/money.js';
import type { PaymentRecord } from '../../store/schema.js';
import { assertNotPaidByAnother, assertSupported, type OnPayment, type OperationKind } from './command.js';

/**
 * Takes held money, in whole or in part. Refused with `invalid-state` where nothing is held, with `session-paid` where another payment
 * has paid meanwhile, with `outcome-unknown` where the store has forgotten something since it was held and the gateway does not say how it
 * stands, and with `validation-failed` for an amount that does not fit.
 */
export interface Complete extends OnPayment {
  readonly type: 'complete';
  /** Decimal string in major units. Absent: everything that is held. */
  readonly amount?: string | undefined;
}

export const completing: OperationKind<Complete> = {
  allow({ amount }, rows, { gateway }) {
    const { payment } = rows;
    assertSupported(gateway, 'complete');
    if (payment.status !== 'authorized') {
      throw new Problem('invalid-state', 'Only an authorized payment can be completed.');
    }
    assertNotPaidByAnother(rows);
    return amountToComplete(payment, amount);
  },
  asksFirst: (_, rows, { answers }) => answers.areNeeded(rows),
  async send(_, { payment, row }, gate, { gateway, facts }) {
    const known = await facts.of(payment, 'complete');
    return gateway.complete({ ...known, amount: row.amount ?? payment.amount }, gate);
  },
};

/** How much to take, in minor units. Throws `validation-failed` for zero, for more than is held, or for what is no amount. */
function amountToComplete(payment: PaymentRecord, amount: string | undefined): bigint {
  const held = payment.amountAuthorized ?? payment.amount;
  if (amount === undefined) return held;
  const asked = parseMajor(amount, payment.currency);
  const fault =
    asked === undefined
      ? `must be a decimal amount in ${payment.currency}`
      : asked <= 0n
        ? 'must be above zero'
        : asked > held
          ? `must be at most the authorized amount, ${formatMajor(held, payment.currency)}`
          : undefined;
  if (asked === undefined || fault !== undefined) {
    throw new Problem('validation-failed', 'The amount to complete does not fit.', {
      errors: [{ pointer: '/amount', message: fault ?? 'must be an amount' }],
    });
  }
  return asked;
}
