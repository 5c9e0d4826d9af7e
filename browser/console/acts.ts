import type { EventDto, PaymentDto, RefundDto, ResolveDto, ApprovalDto } from '../generated/api.js';
import { AMOUNT, money } from './amounts.js';
import type { Field, Options, Values } from './form.js';
import { refundable, type ActionName } from './plain-words.js';
import type { Question, Session } from './session.js';
import { dateTime } from './times.js';
import { attentionSentence, inWords, operationWord } from './words.js';

/** What is asked before each thing that may be done, and what is sent then. */

/** A field for what only people know. */
export const NOTE: Field = {
  ...{ name: 'note', label: 'Note', kind: 'note', hint: 'Write no card or personal data.' },
};

/** The question before an action on a payment. */
export function questionOf(name: ActionName, session: Session, payment: PaymentDto): Question {
  const { reference, currency, status } = payment;
  const of = (amount: string): string => money(amount, currency);
  const typed = ({ amount = '' }: Values): string =>
    new RegExp(`^${AMOUNT}$`).test(amount) ? of(amount.trim()) : '';
  const field: Field = { name: 'amount', label: 'Amount', kind: 'amount', hint: `In ${currency}.` };
  const held = payment.amountAuthorized ?? payment.amount;
  const title = `${inWords(name)}: ${reference}`;
  const run = async (body: object): Promise<string> => {
    const after = await session.changes.post<PaymentDto>(`payments/${payment.id}/${name}`, body);
    return after.pendingOperation === null
      ? `Done. The payment is now: ${inWords(after.status)}.`
      : 'The gateway has given no clear answer yet. We keep asking it.';
  };
  switch (name) {
    case 'resolve':
      return resolveQuestion(session, payment);
    case 'refund': {
      const rest = refundable(payment);
      return {
        ...{ title, text: [`${of(rest)} can be refunded to the payer. A refund cannot be undone.`] },
        fields: [
          { ...field, value: rest },
          {
            name: 'reason',
            label: 'Reason',
            isOptional: true,
            hint: 'Optional. The gateway does not get it.',
          },
        ],
        action: (values) => `Refund ${typed(values)}`.trim(),
        run: (values) => refund(session, payment, values),
      };
    }
    case 'complete':
      return {
        ...{ title, text: [`${of(held)} is held. What you do not take goes back to the payer.`] },
        fields: [{ ...field, value: held }],
        action: (values) => `Take ${typed(values)}`.trim(),
        run: ({ amount }) => run(amount === held ? {} : { amount }),
      };
    case 'void': {
      const amount = of(status === 'authorized' ? held : (payment.amountCaptured ?? payment.amount));
      const what = status === 'authorized' ? 'The hold is released' : `${amount} goes back to the payer`;
      return {
        title,
        text: [`${what}. This cannot be undone.`],
        action: () => `Void ${amount}`,
        run: () => run({}),
      };
    }
    case 'cancel':
      return {
        ...{
          title,
          text: ['We ask the gateway first. If the payer has already paid, the payment stays paid.'],
        },
        action: () => `Cancel the payment of ${of(payment.amount)}`,
        run: () => run({}),
      };
  }
}

async function refund({ changes }: Session, { id, currency }: PaymentDto, values: Values): Promise<string> {
  const { amount = '', reason } = values;
  const made = await changes.post<RefundDto | { approval: ApprovalDto }>(`payments/${id}/refunds`, {
    ...{ amount, ...(reason && { reason }) },
  });
  return 'approval' in made
    ? `Nothing was sent yet: the refund waits for a second person, until ${dateTime(made.approval.expiresAt)}.`
    : `Refund of ${money(amount, currency)}: ${inWords(made.status).toLowerCase()}.`;
}

/** What a person may say about a payment, or about one of its refunds. Pure. */
export function outcomesOf({ status, pendingOperation }: PaymentDto, refund?: RefundDto): Options {
  if (refund)
    return [
      ['succeeded', 'Refunded: the payer got the money'],
      ['failed', 'Not refunded'],
    ];
  const type = pendingOperation?.type ?? '';
  const operation = ['complete', 'void'].includes(type) && operationWord(type);
  const outcomes: [string, string | false][] = [
    ['confirmed', operation && `The ${operation} was done`],
    ['refused', operation && `The ${operation} was not done`],
    ['as-is', `Leave it as it is: ${inWords(status)}`],
    ['succeeded', status === 'succeeded' ? 'Paid, but another amount' : 'Paid'],
    ['failed', status !== 'failed' && 'Not paid'],
    ['voided', status !== 'voided' && 'Reversed: the payer gets everything back'],
  ];
  return outcomes.filter((outcome): outcome is [string, string] => outcome[1] !== false);
}

/** What is sent for what a person said. Pure. */
export function resolutionOf(values: Values, payment: PaymentDto, refund?: RefundDto): ResolveDto {
  const { outcome = '', amountReceived, note = '' } = values;
  if (outcome === 'confirmed' || outcome === 'refused') return { operation: outcome, note };
  const status = outcome === 'as-is' ? payment.status : (outcome as PaymentDto['status']);
  return { status, note, ...(refund && { refundId: refund.id }), ...(amountReceived && { amountReceived }) };
}

/** Asks for what only a person can find out: about a payment, or about one of its refunds. */
export function resolveQuestion({ changes }: Session, payment: PaymentDto, refund?: RefundDto): Question {
  const { id, reference, currency } = payment;
  return {
    title: `Resolve: ${refund ? `the refund of ${money(refund.amount, currency)}` : reference}`,
    text: [
      'Resolve it only if you know for certain, for example from a bank statement. Your word replaces the gateway’s.',
      ...payment.attentionReasons.map(attentionSentence),
    ],
    fields: [
      { name: 'outcome', label: 'What happened', kind: 'choice', options: outcomesOf(payment, refund) },
      {
        ...{ name: 'amountReceived', label: 'Amount received', kind: 'amount', hint: `In ${currency}.` },
        value: payment.amountCaptured ?? payment.amount,
        isShown: ({ outcome }) => refund === undefined && outcome === 'succeeded',
      },
      { ...NOTE, label: 'How you know' },
    ],
    action: () => 'Resolve',
    run: async (values) => {
      await changes.post(`payments/${id}/resolve`, resolutionOf(values, payment, refund));
      return 'Your decision is recorded.';
    },
  };
}

/** The question before an event is sent again. */
export function redeliverQuestion({ changes }: Session, { id, type }: EventDto): Question {
  return {
    title: 'Send this event again?',
    text: [`${type} is sent to your server once more, with the same webhook-id.`],
    action: () => 'Redeliver event',
    run: async () => {
      await changes.post(`events/${id}/redeliver`, {});
      return 'The event is on its way.';
    },
  };
}
