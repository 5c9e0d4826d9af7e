import { h } from '../element/dom.js';
import { formatAmount } from '../element/money.js';
import { confirm, labelled } from './confirm-dialog.js';
import type { Payment } from '../kit/api.js';
import type { MerchantApi } from './merchant-api.js';

interface ActionContext {
  api: MerchantApi;
  payment: Payment;
  /** Called with the updated payment. */
  done: (payment: Payment) => void;
  /** Shows the error of an action that needs no confirmation. */
  failed: (error: unknown) => void;
}

/** The buttons for the actions that the payment's current state allows. */
export function paymentActions(context: ActionContext): HTMLElement[] {
  const { api, payment } = context;
  if (api.access === 'read') return [];
  const { status } = payment;
  const button = (label: string, press: () => void, className = ''): HTMLElement =>
    h('button', { type: 'button', class: className, onclick: press }, label);
  return [
    payment.needsAttention && button('Resolve', () => askResolve(context), 'primary'),
    status === 'authorized' && button('Complete', () => askComplete(context)),
    (status === 'authorized' || status === 'succeeded') && button('Void', () => askVoid(context)),
    status === 'requires_action' && button('Cancel payment', () => askCancel(context)),
    button('Refresh', () => void act(context, 'refresh', {}).catch(context.failed)),
  ].filter((action) => action !== false);
}

async function act({ api, payment, done }: ActionContext, action: string, body: object): Promise<void> {
  done(await api.act(payment, action, body));
}

function money({ payment }: ActionContext, amount: string): string {
  return formatAmount(amount, payment.currency, navigator.language);
}

function askComplete(context: ActionContext): void {
  const { payment } = context;
  const held = payment.amountAuthorized ?? payment.amount;
  const amount = h('input', { type: 'text', inputmode: 'decimal', value: held, required: true });
  confirm({
    title: `Complete ${payment.reference}?`,
    content: [
      h('p', {}, `${money(context, held)} is held. What you do not take is given back to the payer.`),
      labelled('Amount', amount, `In ${payment.currency}, at most ${held}.`),
    ],
    action: 'Complete payment',
    run: () => {
      const given = amount.value.trim();
      return act(context, 'complete', given === held ? {} : { amount: given });
    },
  });
}

function askVoid(context: ActionContext): void {
  const { payment } = context;
  confirm({
    title: `Void ${payment.reference}?`,
    content: [
      h(
        'p',
        {},
        payment.status === 'authorized'
          ? `The hold of ${money(context, payment.amountAuthorized ?? payment.amount)} is given up.`
          : `${money(context, payment.amountCaptured ?? payment.amount)} goes back to the payer.`,
        ' This cannot be undone.',
      ),
    ],
    action: 'Void payment',
    run: () => act(context, 'void', {}),
  });
}

function askCancel(context: ActionContext): void {
  confirm({
    title: `Cancel ${context.payment.reference}?`,
    content: [h('p', {}, 'The gateway is asked first: if the payer has paid by now, it stays paid.')],
    action: 'Cancel this payment',
    run: () => act(context, 'cancel', {}),
  });
}

function askResolve(context: ActionContext): void {
  const { payment } = context;
  const amount = h('input', { type: 'text', inputmode: 'decimal', value: payment.amount });
  const amountRow = labelled('Amount received', amount, `In ${payment.currency}.`);
  const status = h(
    'select',
    { onchange: () => (amountRow.hidden = status.value !== 'succeeded') },
    h('option', { value: 'failed' }, 'Not paid'),
    h('option', { value: 'succeeded' }, 'Paid'),
    h('option', { value: 'voided' }, 'Reversed'),
  );
  const note = h('textarea', { rows: 3, maxlength: 500, required: true });
  amountRow.hidden = true;
  confirm({
    title: `Resolve ${payment.reference}?`,
    content: [
      h(
        'p',
        {},
        'Only after you have found out for certain: your word is recorded, and the gateway is not asked again.',
      ),
      labelled('What happened', status),
      amountRow,
      labelled('How you know', note, 'Kept in the timeline. Write no card or personal data.'),
    ],
    action: 'Resolve payment',
    run: () =>
      act(context, 'resolve', {
        status: status.value,
        note: note.value.trim(),
        ...(status.value === 'succeeded' ? { amountReceived: amount.value.trim() } : {}),
      }),
  });
}
