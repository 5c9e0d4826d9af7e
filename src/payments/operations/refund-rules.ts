import { Problem } from '../../http/problems/problem.js';
import { validationFailed } from '../../http/validation/validate.js';
import { formatMajor, parseMajor } from '../../money/money.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { wholeOf } from '../interpret/answer.js';
import { needsFor } from '../state/attention.js';
import { assertDuplicateNotBeingVoided } from './void-rules.js';

/**
 * How much of a payment can still be given back, in minor units: what was taken, without what was given back by whomever and
 * without refunds that are open, for each may have been done. Pure.
 */
export function restToRefund(payment: PaymentRecord, openOperations: readonly OperationRecord[]): bigint {
  const open = openOperations
    .filter(({ type }) => type === 'refund')
    .reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const rest = (wholeOf(payment) ?? 0n) - (payment.amountRefunded ?? 0n) - open;
  return rest > 0n ? rest : 0n;
}

/**
 * Throws where nothing of the payment may be given back now: `invalid-state` where it is not paid, is disputed, or nobody knows
 * how much was given back already, and `operation-in-progress` while the policy voids its duplicate. Pure.
 */
export function assertRefundable(rows: PaymentSnapshot): void {
  const { payment } = rows;
  if (payment.status !== 'succeeded') {
    throw new Problem('invalid-state', 'Only a succeeded payment can be refunded.');
  }
  if (payment.disputed) throw new Problem('invalid-state', 'A disputed payment cannot be refunded.');
  if (needsFor(payment, 'refund_unclear') || needsFor(payment, 'refund_contradicted')) {
    throw new Problem(
      'invalid-state',
      'How much was refunded already is not clear: resolve the payment first.',
    );
  }
  assertDuplicateNotBeingVoided(rows);
}

/**
 * How much a refund gives back, in minor units: `amount`, a decimal string in major units, or the rest. Throws
 * `validation-failed` for what is no amount of the payment's currency, and `invalid-state` for more than the rest. Pure.
 */
export function amountToRefund(
  { payment, openOperations }: Pick<PaymentSnapshot, 'payment' | 'openOperations'>,
  amount: string | undefined,
): bigint {
  const { currency } = payment;
  const rest = restToRefund(payment, openOperations);
  const asked = amount === undefined ? rest : parseMajor(amount, currency);
  if (asked === undefined || (amount !== undefined && asked <= 0n)) {
    throw validationFailed([{ pointer: '/amount', message: `must be an amount above zero in ${currency}` }]);
  }
  if (rest === 0n) throw new Problem('invalid-state', 'This payment has nothing left to refund.');
  if (asked > rest) {
    throw new Problem(
      'invalid-state',
      `More than what is left to refund of this payment, which is ${formatMajor(rest, currency)}.`,
    );
  }
  return asked;
}
