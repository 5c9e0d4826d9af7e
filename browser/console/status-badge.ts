import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { statusWord } from './words.js';

/** The status as a word with a colour, and whether a person must look. */
export function badge(payment: Pick<Payment, 'status' | 'needsAttention'>): HTMLElement {
  const { status, needsAttention } = payment;
  return h(
    'span',
    { class: 'badges' },
    h('span', { class: `badge ${status}` }, statusWord(status)),
    needsAttention && ' ',
    needsAttention && h('span', { class: 'badge attention' }, 'Needs attention'),
  );
}
