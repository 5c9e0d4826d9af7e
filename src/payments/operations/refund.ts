import { refundRefOf } from '../../gateway/requests/client-ref.js';
import { assertSupported, type OnPayment, type OperationKind } from './command.js';
import { formatMajor, parseMajor } from '../../money/money.js';
import { Problem, validationFailed } from '../../http/problems/problem.js';
import type { OperationRecord, PaymentRecord } from '../../store/schema.js';
import type { PaymentSnapshot } from '../apply/apply.js';
import { wholeOf } from '../interpret/answer.js';
import { needsFor } from '../state/attention.js';
import { assertDuplicateNotBeingVoided } from './void.js';

/**
 * Gives money of a paid payment back, in whole or in part, under a reference of its own. The gateway is asked before how much it has given
 * back, for what its own dashboard gave back is not left; without a clear answer what is known counts. The outcome's `operationId` is the
 * refund's. Refused with `not-supported` where the gateway has no refunds, with `invalid-state` where the payment is not paid or disputed,
 * or so much is not left of it, with `outcome-unknown` where a void of its order may have been done and the gateway does not say, and with
 * `validation-failed` for an amount that is none.
 */
export interface Refund extends OnPayment {
  readonly type: 'refund';
  /** Decimal string in major units. Absent: the rest. */
  readonly amount?: string | undefined;
  /** For the merchant's own books. It does not reach the gateway. */
  readonly reason?: string | undefined;
}

export const refunding: OperationKind<Refund> = {
  allow({ amount }, rows, { gateway }) {
    assertSupported(gateway, 'refund');
    assertRefundable(rows);
    return amountToRefund(rows, amount);
  },
  asksFirst: () => true,
  needs({ actor, reason }, { payment: { currency, amountRefunded } }, asked, { approvals }) {
    const amount = asked ?? 0n;
    // Many small ones do not pass below the bound. None is open beside this one.
    if (!approvals.isNeeded((amountRefunded ?? 0n) + amount, currency)) return undefined;
    return {
      asked: { amount, currency, actor, reason: reason ?? null },
      operation: { type: 'refund', amount: formatMajor(amount, currency) },
    };
  },
  text: ({ reason }) => reason,
  columns: (_, payment, fresh, { profile, store }) => ({
    reason: null,
    textId: null,
    refundReference: refundRefOf(
      payment.gatewayReference,
      payment.refundsMade + 1,
      profile.reference,
      store.epoch.number,
    ),
    refundedBefore: payment.amountRefunded ?? 0n,
    refundBaselineSaid: fresh?.saysGivenBack ?? false,
    inSum: false,
    fallHeardAt: null,
  }),
  async send(_, { payment, row }, gate, { gateway, facts }) {
    const known = await facts.of(payment, 'refund');
    const own = { amount: row.amount ?? 0n, refundRef: row.refundReference ?? '' };
    return gateway.refund({ ...known, ...own }, gate);
  },
};

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
