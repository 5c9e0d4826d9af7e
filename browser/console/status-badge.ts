import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { statusWord } from './words.js';

/** The status as a word with a colour. */
export function badge(payment: Pick<Payment, 'status' | 'needsAttention'>): HTMLElement {
  const tone = payment.needsAttention ? 'attention' : payment.status;
  const word = statusWord(payment.status);
  return h('span', { class: `badge ${tone}` }, payment.needsAttention ? `${word} · needs attention` : word);
}
