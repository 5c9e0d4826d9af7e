import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import type { Refund } from './api.js';
import { isPositive, minus, money, plus, typedAmount } from './amounts.js';
import { confirm, labelled } from './confirm-dialog.js';
import type { MerchantApi, Waits } from './merchant-api.js';
import { notAnAmount } from './refused.js';

/** What may still be refunded of a payment, without what is on its way back. Pure. */
export function refundable(payment: Payment, refunds: readonly Refund[]): string {
  const under = refunds
    .filter(({ status }) => status === 'processing')
    .reduce((sum, { amount }) => plus(sum, amount), '0');
  return minus(payment.amountCaptured ?? '0', plus(payment.amountRefunded ?? '0', under));
}

/** Whether a refund may be asked for now. Pure. */
export function mayRefund(payment: Payment, refunds: readonly Refund[]): boolean {
  const { status, disputed, pendingOperation } = payment;
  return (
    status === 'succeeded' &&
    !disputed &&
    pendingOperation === null &&
    isPositive(refundable(payment, refunds))
  );
}

/** Asks how much is to be refunded, and once more with the amount; then refunds it. */
export function askRefund(
  api: MerchantApi,
  payment: Payment,
  refunds: readonly Refund[],
  done: (answer: Refund | Waits) => void,
): void {
  const rest = refundable(payment, refunds);
  const { currency, reference } = payment;
  const amount = h('input', {
    ...{ type: 'text', name: 'amount', inputmode: 'decimal', autocomplete: 'off', maxlength: 20 },
    value: rest,
    required: true,
  });
  const reason = h('input', { type: 'text', name: 'reason', autocomplete: 'off', maxlength: 500 });
  const typed = (): string | undefined => typedAmount(amount.value);
  const given = (): string => {
    const text = typed();
    return text === undefined ? '' : money(text, currency);
  };
  confirm({
    title: `Refund ${reference}?`,
    content: [
      h(
        'p',
        {},
        `${money(payment.amountCaptured ?? payment.amount, currency)} was paid. ${money(rest, currency)} can be refunded.`,
      ),
      labelled('Amount', amount, `In ${currency}, at most ${rest}.`),
      labelled('Reason', reason, 'For your own records. The gateway does not get it.'),
    ],
    action: () => `Refund ${given()}`.trim(),
    askAgain: () => `Refund ${given()} of ${reference} to the payer? This cannot be undone.`,
    check: () => {
      if (typed() === undefined) throw notAnAmount();
    },
    run: async () => {
      const why = reason.value.trim();
      done(
        await api.refund(payment, {
          amount: amount.value.trim(),
          ...(why === '' ? {} : { reason: why }),
        }),
      );
    },
  });
}
