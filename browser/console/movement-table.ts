import { h } from '../element/dom.js';
import { money } from './amounts.js';
import type { Movement } from './api.js';
import { hrefOf } from './route.js';
import { dateTime } from './words.js';

const KINDS: Record<Movement['kind'], string> = {
  payment: 'Payment',
  refund: 'Refund',
  refund_reversal: 'Refund came back',
  void: 'Void',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Dispute won',
  correction: 'Correction',
};

/** Moves of money as a table. `withReference` says which payment each belongs to. */
export function movementTable(
  caption: string,
  movements: readonly Movement[],
  withReference: boolean,
): HTMLElement {
  const column = (label: string, kind = ''): HTMLElement =>
    h('th', { scope: 'col', role: 'columnheader', class: kind }, label);
  return h(
    'table',
    { class: 'rows movements', role: 'table' },
    h('caption', { class: 'unseen' }, caption),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        column('Movement'),
        withReference && column('Payment'),
        column('Amount', 'number'),
        column('Settlement'),
        column('When', 'when'),
      ),
    ),
    h('tbody', { role: 'rowgroup' }, ...movements.map((movement) => row(movement, withReference))),
  );
}

function row(movement: Movement, withReference: boolean): HTMLElement {
  const { kind, direction, amount, currency, at, recordedAt, late, paymentId, reference, settled } = movement;
  const sign = direction === 'out' ? '−' : '';
  const cell = { role: 'cell' };
  return h(
    'tr',
    { role: 'row' },
    h(
      'th',
      { scope: 'row', role: 'rowheader' },
      KINDS[kind],
      late && ' ',
      late && h('span', { class: 'badge attention' }, `Recorded late, ${dateTime(recordedAt)}`),
    ),
    withReference && h('td', cell, h('a', { href: hrefOf(`payments/${paymentId}`) }, reference)),
    h('td', { ...cell, class: 'number' }, h('bdi', { class: 'sum' }, sign + money(amount, currency))),
    h('td', cell, settlementWords(settled)),
    h('td', { ...cell, class: 'when' }, h('time', { datetime: at }, dateTime(at))),
  );
}

function settlementWords(settled: Movement['settled']): string {
  if (settled === null) return 'Not settled yet';
  return settled.at === null ? 'Settled' : `Settled ${dateTime(settled.at)}`;
}
