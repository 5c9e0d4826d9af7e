import { h } from '../element/dom.js';
import type { Payment } from '../kit/api.js';
import { isPositive, minus } from './amounts.js';
import { statusWord } from './words.js';

/** What a badge is made of. */
export type Badged = Pick<
  Payment,
  'status' | 'needsAttention' | 'disputed' | 'duplicateOf' | 'amountCaptured' | 'amountRefunded'
>;

/** The status as a word with a colour, and all else that is so: given back, disputed, a duplicate, whether a person must look. */
export function badge(payment: Badged): HTMLElement {
  const { status, needsAttention, disputed, duplicateOf } = payment;
  const refunded = refundedWord(payment);
  const one = (kind: string, words: string): HTMLElement => h('span', { class: `badge ${kind}` }, words);
  const badges = [
    one(status, statusWord(status)),
    refunded !== undefined && one('refunded', refunded),
    disputed && one('disputed', 'Disputed'),
    duplicateOf !== null && one('duplicate', 'Duplicate'),
    needsAttention && one('attention', 'Needs attention'),
  ].filter((element) => element !== false);
  // a blank between two of them, for those who hear or copy them
  return h('span', { class: 'badges' }, ...badges.flatMap((element) => [element, ' ']).slice(0, -1));
}

/** Whether all or a part of the money was given back; undefined where none was. Pure. */
export function refundedWord({
  amountCaptured,
  amountRefunded,
}: Pick<Payment, 'amountCaptured' | 'amountRefunded'>): 'Refunded' | 'Partly refunded' | undefined {
  if (amountRefunded === null || !isPositive(amountRefunded)) return undefined;
  return isPositive(minus(amountCaptured ?? '0', amountRefunded)) ? 'Partly refunded' : 'Refunded';
}
