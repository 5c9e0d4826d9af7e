import type { CheckoutSession } from '../kit/types.js';
import { h } from './dom.js';
import type { Language } from './messages.js';
import { formatAmount } from './money.js';

/** What a session and a payment have in common. */
export type Owed = Pick<CheckoutSession, 'amount' | 'currency' | 'reference' | 'livemode'>;

/** The amount owed, or paid, and what it is for. */
export function summary({ t, locale }: Language, owed: Owed | undefined, isPaid: boolean): HTMLElement[] {
  if (owed === undefined) return [];
  const { amount, currency, reference, livemode } = owed;
  return [
    h(
      'div',
      { class: 'owed' },
      h('p', { class: 'caption' }, t(isPaid ? 'paid' : 'toPay')),
      h('p', { class: 'amount' }, formatAmount(amount, currency, locale)),
      h('p', { class: 'caption' }, t('order', { reference })),
    ),
    ...(livemode ? [] : [h('p', { class: 'badge', title: t('testModeHelp') }, t('testMode'))]),
  ];
}
