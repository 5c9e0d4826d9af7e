import type { ApprovalDto, EventDto, PaymentDto, RefundDto, ResolveDto } from '../generated/api.js';
import { money, typedAmount } from './amounts.js';
import type { Question } from './ask.js';
import type { Options, Values } from './form.js';
import { refundable, type ActionName } from './plain-words.js';
import { answer } from './service.js';
import type { Session } from './session.js';
import { dateTime } from './times.js';
import { approvalWords, attentionSentence, REFUND_WORDS, statusWord } from './words.js';

/** What is asked before each thing that may be done, and what is sent then. */

const NO_PERSONAL_DATA = 'Write no card or personal data.';

/** An amount that was typed, in words; empty if it is none. */
function typedWords(text: string | undefined, currency: string): string {
  const amount = typedAmount(text ?? '');
  return amount === undefined ? '' : money(amount, currency);
}

type Asked = Exclude<ActionName, 'refresh'>;

/** The question before an action on a payment. */
export function questionOf(name: Asked, session: Session, payment: PaymentDto): Question {
  const { id, reference, currency } = payment;
  const of = (amount: string): string => money(amount, currency);
  const held = payment.amountAuthorized ?? payment.amount;
  switch (name) {
    case 'resolve':
      return resolveQuestion(session, payment);
    case 'refund':
      return refundQuestion(session, payment);
    case 'complete':
      return {
        title: `Complete ${reference}?`,
        text: [`${of(held)} is held.`],
        fields: [{ name: 'amount', label: 'Amount', kind: 'amount', value: held, hint: `In ${currency}.` }],
        action: ({ amount }) => `Take ${typedWords(amount, currency)}`.trim(),
        sure: ({ amount }) =>
          `Take ${typedWords(amount, currency)} of ${of(held)}? What you do not take goes back to the payer.`,
        run: async ({ amount = '' }) => {
          const body = amount === held ? {} : { amount };
          return wordsAfter(await change(session, id, 'complete', body));
        },
      };
    case 'void': {
      const isHeld = payment.status === 'authorized';
      const amount = of(isHeld ? held : (payment.amountCaptured ?? payment.amount));
      const what = isHeld ? `The hold of ${amount} is released.` : `${amount} goes back to the payer.`;
      return {
        ...{
          title: `Void ${reference}?`,
          text: [`${what} This cannot be undone.`],
          action: () => `Void ${amount}`,
        },
        run: async () => wordsAfter(await change(session, id, 'void', {})),
      };
    }
    case 'cancel':
      return {
        title: `Cancel ${reference}?`,
        text: ['We ask the gateway first. If the payer has already paid, the payment stays paid.'],
        action: () => `Cancel the payment of ${of(payment.amount)}`,
        run: async () => wordsAfter(await change(session, id, 'cancel', {})),
      };
  }
}

function change(
  { service, changes }: Session,
  id: string,
  action: 'complete' | 'void' | 'cancel' | 'resolve',
  body: object,
): Promise<PaymentDto> {
  return changes.make(`payments/${id}/${action}`, body, (header) => {
    const options = { params: { path: { id }, header }, body: body as ResolveDto };
    return answer(service.POST(`/v1/payments/{id}/${action}`, options));
  });
}

function wordsAfter({ status, pendingOperation }: PaymentDto): string {
  if (pendingOperation !== null) return 'The gateway has given no clear answer yet. We keep asking it.';
  return `Done. The payment is now: ${statusWord(status)}.`;
}

function refundQuestion({ service, changes }: Session, payment: PaymentDto): Question {
  const { id, reference, currency } = payment;
  const rest = refundable(payment);
  const words = ({ amount }: Values): string => typedWords(amount, currency);
  return {
    title: `Refund ${reference}?`,
    text: [
      `${money(payment.amountCaptured ?? '0', currency)} was paid. ${money(rest, currency)} can be refunded.`,
    ],
    fields: [
      {
        name: 'amount',
        label: 'Amount',
        kind: 'amount',
        value: rest,
        hint: `In ${currency}, at most ${rest}.`,
      },
      {
        ...{ name: 'reason', label: 'Reason', isOptional: true },
        hint: 'For your own records. The gateway does not get it.',
      },
    ],
    action: (values) => `Refund ${words(values)}`.trim(),
    sure: (values) => `Refund ${words(values)} of ${reference} to the payer? This cannot be undone.`,
    run: async (values) => {
      const { amount = '', reason = '' } = values;
      const body = { amount, ...(reason === '' ? {} : { reason }) };
      const made = await changes.make(`payments/${id}/refunds`, body, (header) =>
        answer(service.POST('/v1/payments/{id}/refunds', { params: { path: { id }, header }, body })),
      );
      if ('approval' in made)
        return `Nothing was sent yet: the refund waits for a second person, until ${dateTime(made.approval.expiresAt)}.`;
      return `Refund of ${words(values)}: ${REFUND_WORDS[made.status].toLowerCase()}.`;
    },
  };
}

const REFUND_OUTCOMES: Options = [
  ['succeeded', 'Refunded: the payer got the money'],
  ['failed', 'Not refunded'],
];

const OPERATIONS: Record<string, string> = { complete: 'completion', void: 'void' };

/** What a person may say about a payment. Pure. */
export function outcomesOf({ status, pendingOperation }: PaymentDto): Options {
  const operation = OPERATIONS[pendingOperation?.type ?? ''];
  const outcomes: [string, string | false | undefined][] = [
    ['confirmed', operation && `The ${operation} was done`],
    ['refused', operation && `The ${operation} was not done`],
    ['as-is', `Leave it as it is: ${statusWord(status)}`],
    ['succeeded', status === 'succeeded' ? 'Paid, but another amount' : 'Paid'],
    ['failed', status !== 'failed' && 'Not paid'],
    ['voided', status !== 'voided' && 'Reversed: the payer gets everything back'],
  ];
  return outcomes.filter((outcome): outcome is [string, string] => Boolean(outcome[1]));
}

/** What is sent for what a person said. Pure. */
export function resolutionOf(values: Values, payment: PaymentDto, refund?: RefundDto): ResolveDto {
  const { outcome = '', amountReceived, note = '' } = values;
  if (outcome === 'confirmed' || outcome === 'refused') return { operation: outcome, note };
  if (refund !== undefined) return { refundId: refund.id, status: outcome as 'succeeded' | 'failed', note };
  if (outcome === 'as-is') return { status: payment.status, note };
  return { status: outcome as PaymentDto['status'], note, ...(amountReceived ? { amountReceived } : {}) };
}

/** Asks for what only a person can find out: about a payment, or about one of its refunds. */
export function resolveQuestion(session: Session, payment: PaymentDto, refund?: RefundDto): Question {
  const { id, reference, currency } = payment;
  const options = refund ? REFUND_OUTCOMES : outcomesOf(payment);
  const subject = refund ? `the refund of ${money(refund.amount, currency)}` : reference;
  const words = ({ outcome, amountReceived }: Values): string => {
    const chosen = options.find(([word]) => word === outcome)?.[1] ?? '';
    return amountReceived && outcome === 'succeeded'
      ? `${chosen}, ${typedWords(amountReceived, currency)}`
      : chosen;
  };
  return {
    title: `Resolve ${subject}?`,
    text: [
      'Resolve it only if you know for certain, for example from a bank statement.',
      ...payment.attentionReasons.map(attentionSentence),
    ],
    fields: [
      { name: 'outcome', label: 'What happened', kind: 'choice', options },
      {
        ...{ name: 'amountReceived', label: 'Amount received', kind: 'amount', hint: `In ${currency}.` },
        value: refund ? '' : (payment.amountCaptured ?? payment.amount),
        isShown: ({ outcome }) => refund === undefined && outcome === 'succeeded',
      },
      {
        ...{ name: 'note', label: 'How you know', kind: 'note' },
        hint: `Kept in the timeline. ${NO_PERSONAL_DATA}`,
      },
    ],
    action: () => 'Resolve',
    sure: (values) =>
      `Record “${words(values)}” for ${subject}? It replaces what the gateway has said so far.`,
    run: async (values) => {
      await change(session, id, 'resolve', resolutionOf(values, payment, refund));
      return 'Your decision is recorded.';
    },
  };
}

/** The question before an approval is decided. */
export function decisionQuestion(
  { service, changes }: Session,
  approval: ApprovalDto,
  decision: 'approve' | 'decline',
): Question {
  const { id, reference } = approval;
  const words = approvalWords(approval);
  const isApproval = decision === 'approve';
  return {
    title: isApproval ? 'Approve the refund?' : 'Decline the refund?',
    text: [isApproval ? `${words} for ${reference}.` : 'Nothing is sent then.'],
    fields: [
      { name: 'note', label: 'Note', kind: 'note', isOptional: true, hint: `Optional. ${NO_PERSONAL_DATA}` },
    ],
    action: () => `${isApproval ? 'Approve' : 'Decline'} ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
    sure: isApproval ? () => `${words} for ${reference} is sent at once. It cannot be undone.` : undefined,
    run: async ({ note = '' }) => {
      const body = note === '' ? {} : { note };
      await changes.make(`approvals/${id}/${decision}`, body, (header) =>
        answer(service.POST(`/v1/approvals/{id}/${decision}`, { params: { path: { id }, header }, body })),
      );
      return isApproval ? `${words}: approved and sent.` : `${words}: declined.`;
    },
  };
}

/** The question before an event is sent again. */
export function redeliverQuestion({ service }: Session, { id, type }: EventDto): Question {
  return {
    title: 'Send this event again?',
    text: [`${type} is sent to your server once more, with the same webhook-id.`],
    action: () => 'Redeliver event',
    run: async () => {
      await answer(service.POST('/v1/events/{id}/redeliver', { params: { path: { id } }, body: {} }));
      return 'The event is on its way.';
    },
  };
}
