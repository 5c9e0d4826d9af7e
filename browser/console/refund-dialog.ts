import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import type { Refund } from './api.js';
import { isPositive, minus, money, plus, typedAmount } from './amounts.js';
import { confirm, labelled } from './confirm-dialog.js';
import type { MerchantApi } from './merchant-api.js';

/** What may still be given back of a payment, without what is on its way back. Pure. */
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

/** Asks how much is to be given back, and gives it back. */
export function askRefund(
  api: MerchantApi,
  payment: Payment,
  refunds: readonly Refund[],
  done: (refund: Refund) => void,
): void {
  const rest = refundable(payment, refunds);
  const { currency } = payment;
  const amount = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 20 });
  const reason = h('input', { type: 'text', autocomplete: 'off', maxlength: 500 });
  const given = (): string => typedAmount(amount.value) ?? rest;
  confirm({
    title: `Refund ${payment.reference}?`,
    content: [
      h(
        'p',
        {},
        `${money(payment.amountCaptured ?? payment.amount, currency)} was paid. ${money(rest, currency)} can be given back. This cannot be undone.`,
      ),
      labelled('Amount', amount, `In ${currency}. Leave it empty to give back the rest: ${rest}.`),
      labelled('Reason', reason, 'For your own records. The gateway does not get it.'),
    ],
    action: () =>
      amount.value.trim() === '' || typedAmount(amount.value) !== undefined
        ? `Refund ${money(given(), currency)}`
        : 'Refund',
    run: async () => {
      const text = amount.value.trim();
      const why = reason.value.trim();
      done(
        await api.refund(payment, {
          ...(text === '' ? {} : { amount: text }),
          ...(why === '' ? {} : { reason: why }),
        }),
      );
    },
  });
}
