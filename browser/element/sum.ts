import { h, type Child } from './dom.js';
import type { Language, MessageKey } from './messages.js';
import { formatAmount } from './money.js';
import type { Sentence } from './outcome.js';

const MARK = '\u0000';

/** An amount that never breaks inside its digits. It shrinks where a narrow screen has no room for it. */
export function sum(amount: string, currency: string, { locale }: Language): HTMLElement {
  const text = formatAmount(amount, currency, locale);
  const element = h('bdi', { class: 'sum' }, text);
  element.style.setProperty('--_length', String(text.length));
  return element;
}

/** A text with elements in place of its words in braces. */
export function phrase({ t }: Language, key: MessageKey, parts: Readonly<Record<string, Node>>): Child[] {
  const marks = Object.fromEntries(Object.keys(parts).map((name) => [name, MARK + name + MARK]));
  return t(key, marks)
    .split(MARK)
    .map((piece, index) => (index % 2 === 0 ? piece : parts[piece]));
}

/** A sentence of an outcome as a paragraph. */
export function paragraph(
  language: Language,
  { text, amounts = {} }: Sentence,
  currency: string,
): HTMLElement {
  const parts = Object.entries(amounts).map(([name, amount]) => [name, sum(amount, currency, language)]);
  return h('p', {}, ...phrase(language, text, Object.fromEntries(parts) as Record<string, Node>));
}
