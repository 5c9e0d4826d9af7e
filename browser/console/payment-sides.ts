import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import type { Refund, TimelineEntry } from './api.js';
import { isPositive, minus, money, plus } from './amounts.js';
import { detailText, entrySentence } from './timeline-words.js';

/** One wish beside what the gateway said of it. */
interface Sides {
  what: string;
  asked: string;
  said: string;
  isOdd?: boolean;
}

/** What was asked for and what the gateway said, side by side. */
export function sidesTable(
  payment: Payment,
  timeline: readonly TimelineEntry[],
  refunds: readonly Refund[],
): HTMLElement {
  const rows = sidesOf(payment, timeline, refunds);
  const person = personsWord(timeline);
  return h(
    'section',
    {},
    h('h3', {}, 'Requested, and reported by the gateway'),
    h(
      'table',
      { class: 'sides', role: 'table' },
      h('caption', { class: 'unseen' }, 'What was requested, and what the gateway said'),
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          h('th', { scope: 'col', role: 'columnheader' }, h('span', { class: 'unseen' }, 'What')),
          h('th', { scope: 'col', role: 'columnheader' }, 'Requested'),
          h('th', { scope: 'col', role: 'columnheader' }, 'The gateway said'),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        ...rows.map(({ what, asked, said, isOdd }) =>
          h(
            'tr',
            { role: 'row', class: isOdd === true && 'odd' },
            h('th', { scope: 'row', role: 'rowheader' }, what),
            h('td', { role: 'cell', 'data-label': 'Requested' }, asked),
            h('td', { role: 'cell', 'data-label': 'The gateway said' }, said),
          ),
        ),
      ),
    ),
    person !== undefined && h('p', {}, `${entrySentence(person, payment.currency)}.`),
  );
}

/** The resolution by which the payment has its status; undefined where the gateway's word gave it. */
function personsWord(timeline: readonly TimelineEntry[]): TimelineEntry | undefined {
  const at = timeline.findLastIndex(({ type }) => type === 'resolved');
  const hasMoved = timeline.slice(at + 1).some(({ to }) => to !== undefined);
  return at < 0 || hasMoved ? undefined : timeline[at];
}

function sidesOf(
  payment: Payment,
  timeline: readonly TimelineEntry[],
  refunds: readonly Refund[],
): readonly Sides[] {
  // A person's word is not the gateway's.
  const said = personsWord(timeline) === undefined ? paymentWord(payment) : 'No clear answer';
  const isOdd = payment.attentionReasons.includes('differs');
  return [
    { what: 'Payment', asked: money(payment.amount, payment.currency), said, isOdd },
    ...operations(payment, timeline),
    ...refunds.map((refund) => ({
      what: 'Refund',
      asked: money(refund.amount, payment.currency),
      said: REFUND_WORDS[refund.status],
    })),
    ...givenBackThere(payment, refunds),
  ];
}

const REFUND_WORDS: Record<Refund['status'], string> = {
  processing: 'No clear answer yet',
  succeeded: 'Refunded',
  failed: 'Not refunded',
};

function paymentWord(payment: Payment): string {
  const { status, currency, amountAuthorized, amountCaptured, failure } = payment;
  const of = (amount: string | null): string => money(amount ?? payment.amount, currency);
  switch (status) {
    case 'processing':
      return 'No clear answer yet';
    case 'requires_action':
      return 'The payer must do something first';
    case 'authorized':
      return `${of(amountAuthorized)} is held`;
    case 'succeeded':
      return `${of(amountCaptured)} is paid`;
    case 'voided':
      return 'Reversed';
    case 'failed':
    case 'canceled':
    case 'expired':
      return `Not paid${failure === null ? '' : `: ${failure.message}`}`;
  }
}

/** Completions and voids, with how each ended. One is open at a time. */
function operations(payment: Payment, timeline: readonly TimelineEntry[]): Sides[] {
  return timeline.flatMap((entry, index): Sides[] => {
    const operation = detailText(entry, 'operation');
    if (entry.type !== 'sent' || !(operation === 'complete' || operation === 'void')) return [];
    const end = timeline
      .slice(index + 1)
      .find((later) => ENDS[later.type] !== undefined && detailText(later, 'operation') === operation);
    const isVoid = operation === 'void';
    const asked = isVoid ? payment.amountCaptured : payment.amountAuthorized;
    return [
      {
        what: isVoid ? 'Void' : 'Completion',
        asked: money(asked ?? payment.amount, payment.currency),
        said: (end && ENDS[end.type]) ?? 'No clear answer yet',
      },
    ];
  });
}

const ENDS: Partial<Record<TimelineEntry['type'], string>> = { confirmed: 'Done', refused: 'Refused' };

/** What the gateway gave back by itself, as from its own pages. */
function givenBackThere({ amountRefunded, currency }: Payment, refunds: readonly Refund[]): Sides[] {
  const here = refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount }) => plus(sum, amount), '0');
  const rest = amountRefunded === null ? '0' : minus(amountRefunded, here);
  return isPositive(rest)
    ? [
        {
          what: 'Refund',
          asked: 'Not requested here',
          said: `${money(rest, currency)} refunded`,
          isOdd: true,
        },
      ]
    : [];
}
