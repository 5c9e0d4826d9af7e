import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import type { Refund, TimelineEntry } from './api.js';
import { isPositive, minus, money, plus } from './amounts.js';
import { entrySentence, meaningWords } from './timeline-words.js';

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
  const at = timeline.findLastIndex(
    ({ type, detail }) => type === 'resolved' && detail?.['refund'] === undefined,
  );
  const hasMoved = timeline.slice(at + 1).some(({ to }) => to !== undefined);
  return at < 0 || hasMoved ? undefined : timeline[at];
}

/** The gateway’s last word that does not fit the payment, while a person must look. */
export function oddWord(payment: Payment, timeline: readonly TimelineEntry[]): string | undefined {
  return payment.needsAttention ? lastMismatch(payment, timeline) : undefined;
}

function lastMismatch(payment: Payment, timeline: readonly TimelineEntry[]): string | undefined {
  const last = timeline.findLast(({ type }) => type === 'mismatch');
  if (last === undefined) return undefined;
  const { amount, currency, meaning, differs } = last.detail ?? {};
  const words = meaning === undefined ? '' : ` (${meaningWords(meaning)})`;
  return amount === undefined
    ? `Another ${(differs ?? 'amount').split(' ').join(' and ')}${words}`
    : `${money(amount, currency ?? payment.currency)}${words}`;
}

function sidesOf(
  payment: Payment,
  timeline: readonly TimelineEntry[],
  refunds: readonly Refund[],
): readonly Sides[] {
  const odd = oddWord(payment, timeline);
  const amount = money(payment.amount, payment.currency);
  // What a person said is no word of the gateway's.
  const said =
    personsWord(timeline) === undefined
      ? paymentWord(payment)
      : (lastMismatch(payment, timeline) ?? 'No clear answer');
  const byPersons = new Set(
    timeline.filter(({ type }) => type === 'resolved').map(({ detail }) => detail?.['refund']),
  );
  return [
    odd === undefined
      ? { what: 'Payment', asked: amount, said }
      : { what: 'Payment', asked: amount, said: odd, isOdd: true },
    ...operations(payment, timeline),
    ...refunds.map((refund) => ({
      what: 'Refund',
      asked: money(refund.amount, payment.currency),
      said: byPersons.has(refund.id) ? 'No clear answer' : REFUND_WORDS[refund.status],
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

/** Completions and voids, with how each ended. */
function operations(payment: Payment, timeline: readonly TimelineEntry[]): Sides[] {
  return timeline
    .filter(({ type, detail }) => type === 'operation_intended' && isShown(detail?.['operation']))
    .map(({ detail }): Sides => {
      const isVoid = detail?.['operation'] === 'void';
      const asked = detail?.['amount'] ?? payment.amountAuthorized ?? payment.amount;
      const end = timeline.findLast(
        (entry) => entry.type !== 'operation_intended' && entry.detail?.['id'] === detail?.['id'],
      );
      return {
        what: isVoid ? 'Void' : 'Completion',
        asked: money(asked, payment.currency),
        said: end === undefined ? 'No clear answer yet' : (ENDS[end.type] ?? 'No clear answer yet'),
      };
    });
}

function isShown(operation: string | undefined): boolean {
  return operation === 'complete' || operation === 'void';
}

const ENDS: Partial<Record<TimelineEntry['type'], string>> = {
  operation_confirmed: 'Done',
  operation_refused: 'Refused',
};

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
