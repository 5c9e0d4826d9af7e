import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import type { Refund } from './api.js';
import { money, typedAmount } from './amounts.js';
import { attentionSentence } from './attention-words.js';
import { choices, confirm, labelled } from './confirm-dialog.js';
import { Refused } from './refused.js';

/** What a person must settle: a payment, or one refund of it. */
export interface Question {
  payment: Payment;
  refund?: Refund;
  /** Sends the person’s word. */
  send: (body: object) => Promise<void>;
}

const OUTCOMES = [
  ['succeeded', 'Paid'],
  ['failed', 'Not paid'],
  ['voided', 'Reversed'],
] as const;

const REFUND_OUTCOMES = [
  ['succeeded', 'Refunded'],
  ['failed', 'Not refunded'],
] as const;

/** Asks a person for what only a person can find out. Nothing is chosen beforehand. */
export function askResolve({ payment, refund, send }: Question): void {
  const { currency } = payment;
  const asked = money(refund?.amount ?? payment.amount, currency);
  const amount = h('input', {
    ...{ type: 'text', name: 'amountReceived', inputmode: 'decimal', autocomplete: 'off', maxlength: 20 },
  });
  const amountRow = labelled('Amount received', amount, `In ${currency}.`);
  const outcome = choices('What happened', 'outcome', refund ? REFUND_OUTCOMES : OUTCOMES);
  const note = h('textarea', { name: 'note', rows: 3, maxlength: 500, required: true });
  amountRow.hidden = true;
  outcome.element.addEventListener('change', () => {
    amountRow.hidden = refund !== undefined || outcome.chosen() !== 'succeeded';
    amount.required = !amountRow.hidden;
  });
  confirm({
    title: refund ? `Resolve a refund of ${payment.reference}?` : `Resolve ${payment.reference}?`,
    content: [
      h(
        'p',
        {},
        'Resolve it only if you know for certain. Your decision is recorded and replaces what the gateway has said so far.',
      ),
      h(
        'dl',
        { class: 'facts' },
        h('div', {}, h('dt', {}, 'Requested'), h('dd', {}, asked)),
        payment.attentionReasons.length > 0 &&
          h(
            'div',
            {},
            h('dt', {}, 'Why it needs attention'),
            h('dd', {}, attentionSentence(payment.attentionReasons)),
          ),
      ),
      outcome.element,
      amountRow,
      labelled('How you know', note, 'Kept in the timeline. Write no card or personal data.'),
    ],
    action: () => label(outcome.chosen(), typedAmount(amount.value), { asked, currency }, refund),
    run: async () => {
      const status = outcome.chosen();
      if (status === '') throw new Refused('nothing-chosen', 'Choose what happened.');
      await send({
        status,
        note: note.value.trim(),
        ...(refund ? { refundId: refund.id } : {}),
        ...(amountRow.hidden ? {} : { amountReceived: amount.value.trim() }),
      });
    },
  });
}

/** What the confirming button says, with the amount that it is about. */
function label(
  status: string,
  received: string | undefined,
  { asked, currency }: { asked: string; currency: string },
  refund: Refund | undefined,
): string {
  if (status === '') return 'Resolve';
  if (refund) return `Resolve: ${asked} ${status === 'succeeded' ? 'refunded' : 'not refunded'}`;
  if (status === 'succeeded')
    return received === undefined ? 'Resolve: paid' : `Resolve: ${money(received, currency)} paid`;
  return `Resolve: ${asked} ${status === 'failed' ? 'not paid' : 'reversed'}`;
}
