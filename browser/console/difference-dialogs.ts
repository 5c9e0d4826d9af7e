import { h } from '../element/dom.js';
import { minus, money } from './amounts.js';
import { choices, confirm, labelled } from './confirm-dialog.js';
import { kindWords } from './difference-words.js';
import type { MerchantApi, Waits } from './merchant-api.js';
import { Refused } from './refused.js';
import type { Difference, DifferenceMoney } from './api.js';

type Done = (answer: Difference | Waits) => Promise<void>;

const REASONS = [
  ['gateway_corrected', 'The gateway has corrected it'],
  ['written_off', 'We write it off'],
  ['explained', 'It is explained'],
  ['duplicate', 'It is a duplicate'],
] as const;

/** Asks why a difference is over. Nothing is chosen beforehand. */
export function askClose(api: MerchantApi, difference: Difference, done: Done): void {
  const reason = choices('Why is it over?', 'reason', REASONS, false);
  const note = noteField(true);
  const bound = h(
    'p',
    { hidden: true },
    'Above the amount that your service is set to, a write-off waits until a second person approves it.',
  );
  reason.element.addEventListener('change', () => (bound.hidden = reason.chosen() !== 'written_off'));
  confirm({
    title: `Close ${difference.reference}?`,
    content: [
      facts(difference),
      reason.element,
      bound,
      labelled('Note', note, 'For whoever looks at it later. Write no card or personal data.'),
    ],
    action: () => (reason.chosen() === 'written_off' ? `Write off${apart(difference)}` : 'Close'),
    check: () => {
      if (reason.chosen() === '') throw missing('reason', 'Choose why it is over.');
      if (note.value.trim() === '') throw missing('note', 'Write why.');
    },
    run: async () =>
      done(await api.closeDifference(difference, { reason: reason.chosen(), note: note.value.trim() })),
  });
}

/** Asks for an optional note, and opens a closed difference again. */
export function askReopen(api: MerchantApi, difference: Difference, done: Done): void {
  const note = noteField(false);
  confirm({
    title: `Open ${difference.reference} again?`,
    content: [facts(difference), labelled('Note', note, 'Optional. Write no card or personal data.')],
    action: () => 'Open again',
    run: async () => {
      const text = note.value.trim();
      await done(await api.reopenDifference(difference, text === '' ? {} : { note: text }));
    },
  });
}

/** Asks for a note. It replaces the one before. */
export function askNote(api: MerchantApi, difference: Difference, done: Done): void {
  const note = noteField(true);
  note.value = difference.note ?? '';
  confirm({
    title: `Note about ${difference.reference}`,
    content: [
      facts(difference),
      labelled('Note', note, 'It replaces the one before. Write no card or personal data.'),
    ],
    action: () => 'Note',
    check: () => {
      if (note.value.trim() === '') throw missing('note', 'Write what is to be noted.');
    },
    run: async () => done(await api.noteDifference(difference, note.value.trim())),
  });
}

/** Checked here and not by the browser, so that the words are those of the page. */
function noteField(required: boolean): HTMLTextAreaElement {
  return h('textarea', {
    ...{ name: 'note', rows: 3, maxlength: 500 },
    'aria-required': required && 'true',
  });
}

function missing(name: string, message: string): Refused {
  return new Refused('nothing-chosen', 'Something is missing.', [{ pointer: `/${name}`, message }]);
}

function facts({ name, expected, found }: Difference): HTMLElement {
  const fact = (term: string, value: string): HTMLElement =>
    h('div', {}, h('dt', {}, term), h('dd', {}, value));
  return h(
    'dl',
    { class: 'facts' },
    fact('What differs', kindWords(name)),
    fact('Here', words(expected)),
    fact('There', words(found)),
  );
}

function words(sum: DifferenceMoney | null): string {
  if (sum === null) return 'Nothing';
  return sum.currency === null ? sum.amount : money(sum.amount, sum.currency);
}

/** How much is written off, where both name one currency or only one names an amount. */
function apart({ expected, found }: Difference): string {
  const currency = found?.currency ?? expected?.currency;
  if (!currency || (expected && found && expected.currency !== found.currency)) return '';
  const difference = minus(found?.amount ?? '0', expected?.amount ?? '0').replace(/^-/, '');
  return ` ${money(difference, currency)}`;
}
