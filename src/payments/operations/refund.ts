import { refundRefOf } from '../../gateway/requests/client-ref.js';
import { assertSupported, type OnPayment, type OperationKind } from './command.js';
import { formatMajor } from '../../money/money.js';
import { amountToRefund, assertRefundable } from './refund-rules.js';

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
      asked: { kind: 'refund', amount, currency, actor, text: reason },
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
