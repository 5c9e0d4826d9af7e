import { h, type Child } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { sum } from './amounts.js';
import { attentionSentence } from './attention-words.js';
import { copied } from './copy-button.js';
import { hrefOf } from './route.js';
import { badge } from './status-badge.js';
import { dateTime, methodWord } from './words.js';

/** What is known of a payment, as terms with their values. */
export function facts(payment: Payment): HTMLElement {
  const of = (amount: string): HTMLElement => sum(amount, payment.currency);
  const fact = (term: string, ...value: Child[]): HTMLElement =>
    h('div', {}, h('dt', {}, term), h('dd', {}, ...value));
  const { card, failure, pendingOperation, amountDisputed } = payment;
  return h(
    'dl',
    { class: 'facts' },
    payment.needsAttention && fact('Why it needs attention', attentionSentence(payment.attentionReasons)),
    fact('Amount', of(payment.amount)),
    payment.amountAuthorized !== null && fact('Held', of(payment.amountAuthorized)),
    payment.amountCaptured !== null && fact('Captured', of(payment.amountCaptured)),
    payment.amountRefunded !== null && fact('Refunded', of(payment.amountRefunded)),
    payment.disputed &&
      fact(
        'Disputed',
        amountDisputed === null ? 'The payer’s bank has taken the money back' : of(amountDisputed),
      ),
    fact(
      'Method',
      `${methodWord(payment.method)}${card === null ? '' : ` · ${card.brand ?? ''} ···· ${card.last4}`}`,
    ),
    failure !== null && fact('Reason', `${failure.message} (${failure.gatewayCode ?? failure.code})`),
    pendingOperation !== null &&
      fact('No clear answer yet', `${pendingOperation.type}, since ${dateTime(pendingOperation.since)}`),
    fact('Reference', copied(payment.reference, 'the reference')),
    fact('Gateway reference', copied(payment.gatewayReference, 'the gateway reference')),
    payment.transactionRef !== null && fact('Transaction', copied(payment.transactionRef, 'the transaction')),
    fact('Payment', copied(payment.id, 'the payment’s id')),
    fact('Created', dateTime(payment.createdAt)),
    payment.paidAt !== null && fact('Paid', dateTime(payment.paidAt)),
  );
}

/** The other payments of the same order, each named and linked: an order may have been paid twice. */
export function otherPayments({ duplicateOf }: Payment, others: readonly Payment[]): HTMLElement {
  return h(
    'section',
    {},
    h('h3', {}, 'Other payments of this order'),
    duplicateOf !== null &&
      h('p', { class: 'alerting' }, 'This order was paid twice: this payment is the duplicate.'),
    h(
      'ul',
      { class: 'events' },
      ...others.map((other) =>
        h(
          'li',
          {},
          h('a', { href: hrefOf(`payments/${other.id}`) }, other.gatewayReference),
          sum(other.amount, other.currency),
          badge(other),
          other.id === duplicateOf && h('span', { class: 'muted' }, 'Pays the order'),
        ),
      ),
    ),
  );
}
