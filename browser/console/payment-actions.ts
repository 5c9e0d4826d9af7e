import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { money, typedAmount } from './amounts.js';
import type { Refund } from './api.js';
import { confirm, labelled } from './confirm-dialog.js';
import type { MerchantApi } from './merchant-api.js';
import { askRefund, mayRefund } from './refund-dialog.js';
import { askResolve } from './resolve-dialog.js';

export interface ActionContext {
  api: MerchantApi;
  payment: Payment;
  refunds: readonly Refund[];
  /** Called when something was done, or waits for another person; the payment may have changed. */
  done: (answer: object) => void;
  /** Shows the error of an action that needs no confirmation. */
  failed: (error: unknown) => void;
}

/** The buttons for the actions that the payment's current state allows. */
export function paymentActions(context: ActionContext): HTMLElement[] {
  const { api, payment, refunds, done } = context;
  if (!api.mayAct) return [];
  const { status } = payment;
  const mayVoid =
    status === 'authorized' ||
    (status === 'succeeded' && payment.amountRefunded === null && !payment.disputed && refunds.every(isOver));
  const button = (label: string, press: () => void, className = ''): HTMLElement =>
    h('button', { type: 'button', class: className, onclick: press }, label);
  return [
    payment.needsAttention && button('Resolve', () => resolve(context), 'primary'),
    status === 'authorized' && button('Complete', () => askComplete(context)),
    mayRefund(payment, refunds) && button('Refund', () => askRefund(api, payment, refunds, done)),
    mayVoid && button('Void', () => askVoid(context)),
    status === 'requires_action' && button('Cancel payment', () => askCancel(context)),
    button('Refresh', () => void act(context, 'refresh', {}).catch(context.failed)),
  ].filter((action) => action !== false);
}

function isOver({ status }: Refund): boolean {
  return status !== 'processing';
}

/** A person’s word on the payment, or on one of its refunds. */
export function resolve(context: ActionContext, refund?: Refund): void {
  askResolve({
    payment: context.payment,
    ...(refund ? { refund } : {}),
    send: (body) => act(context, 'resolve', body),
  });
}

async function act({ api, payment, done }: ActionContext, action: string, body: object): Promise<void> {
  done(await api.act(payment, action, body));
}

function askComplete(context: ActionContext): void {
  const { payment } = context;
  const { currency } = payment;
  const held = payment.amountAuthorized ?? payment.amount;
  const amount = h('input', {
    type: 'text',
    name: 'amount',
    inputmode: 'decimal',
    autocomplete: 'off',
    value: held,
    required: true,
  });
  confirm({
    title: `Complete ${payment.reference}?`,
    content: [
      h('p', {}, `${money(held, currency)} is held. What you do not take is given back to the payer.`),
      labelled('Amount', amount, `In ${currency}, at most ${held}.`),
    ],
    action: () => {
      const given = typedAmount(amount.value);
      return given === undefined ? 'Take the money' : `Take ${money(given, currency)}`;
    },
    run: () => {
      const given = amount.value.trim();
      return act(context, 'complete', given === held ? {} : { amount: given });
    },
  });
}

function askVoid(context: ActionContext): void {
  const { payment } = context;
  const isHeld = payment.status === 'authorized';
  const amount = money(
    (isHeld ? payment.amountAuthorized : payment.amountCaptured) ?? payment.amount,
    payment.currency,
  );
  confirm({
    title: `Void ${payment.reference}?`,
    content: [
      h(
        'p',
        {},
        isHeld ? `The hold of ${amount} is released.` : `${amount} goes back to the payer.`,
        ' This cannot be undone.',
      ),
    ],
    action: () => `Void ${amount}`,
    run: () => act(context, 'void', {}),
  });
}

function askCancel(context: ActionContext): void {
  const { payment } = context;
  confirm({
    title: `Cancel ${payment.reference}?`,
    content: [h('p', {}, 'We ask the gateway first. If the payer has already paid, the payment stays paid.')],
    action: () => `Cancel the payment of ${money(payment.amount, payment.currency)}`,
    run: () => act(context, 'cancel', {}),
  });
}
