import type { CheckoutSession } from '../kit/types.js';
import { h } from './dom.js';
import type { Language } from './messages.js';
import type { MessageKey } from './messages.js';
import { sum } from './sum.js';

/** What a session and a payment have in common. */
export type Owed = Pick<CheckoutSession, 'amount' | 'currency' | 'reference' | 'livemode'>;

/** The amount owed, or paid, and what it is for. `caption` says which of them it is. */
export function summary(language: Language, owed: Owed | undefined, caption: MessageKey): HTMLElement[] {
  const { t } = language;
  if (owed === undefined) return [];
  const { amount, currency, reference, livemode } = owed;
  return [
    h(
      'div',
      { class: 'owed' },
      h('p', { class: 'caption' }, t(caption)),
      h('p', { class: 'amount' }, sum(amount, currency, language)),
      h('p', { class: 'caption' }, t('order', { reference })),
    ),
    ...(livemode ? [] : [h('p', { class: 'badge', title: t('testModeHelp') }, t('testMode'))]),
  ];
}
