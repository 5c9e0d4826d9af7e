import { countsAnywhere, EchoFinder } from './echoed.js';

/** Longer messages are cut: a payer reads one sentence. */
const MAX_LENGTH = 300;
/** Seven digits or more, with blanks or dashes between them: card numbers and their parts, account numbers, telephones. */
const DIGIT_RUN = /\d(?:[ \-.]?\d){6,}/g;
const WORD_BEGIN = /^[\p{L}\p{M}\p{N}]/u;
const WORD_END = /[\p{L}\p{M}\p{N}]$/u;
const ASCII = /^\p{ASCII}*$/u;
const NOTHING = new EchoFinder([]);
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * A gateway's message as a payer may read it, without digit runs that look like a card number and without anything that
 * the payer sent, in any case of letters. Short values are removed only where they are whole words. A message that
 * repeats one of the payer's secrets in another encoding is dropped.
 */
export function cleanMessage(
  message: string | undefined,
  sent: readonly string[],
  echoes = NOTHING,
): string | undefined {
  if (message === undefined) return undefined;
  let clean = message.replace(UNPRINTABLE, ' ');
  const mayHold = holds(clean);
  const found = [...sent, ...echoes.secrets]
    .filter((value) => mayHold(value.trim()))
    .map((value) => value.trim());
  // The longest first, so that removing a name leaves no part of the e-mail address that contains it.
  for (const value of found.sort((a, b) => b.length - a.length)) {
    clean = clean.replace(occurrences(value), '…');
  }
  // Digit runs last: a value with digits in it must be found whole first.
  clean = clean.replace(DIGIT_RUN, '…').trim().slice(0, MAX_LENGTH);
  // An encoded secret cannot be removed word by word.
  return echoes.isIn(clean) ? undefined : clean;
}

/**
 * Tells which values cannot be in a text, to save building an expression for them. This holds only if both texts are
 * ASCII, because some letters outside ASCII fold to ASCII letters.
 */
function holds(text: string): (value: string) => boolean {
  const isAscii = ASCII.test(text);
  const folded = text.toLowerCase();
  // A letter and what it folds to have the same length, so a longer value is not in it.
  return (value) =>
    value !== '' &&
    value.length <= text.length &&
    (!isAscii || folded.includes(value.toLowerCase()) || !ASCII.test(value));
}

/** An expression that matches the value literally, in time linear to the text. */
function occurrences(value: string): RegExp {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (countsAnywhere(value)) return new RegExp(literal, 'giu');
  const before = WORD_BEGIN.test(value) ? '(?<![\\p{L}\\p{M}\\p{N}])' : '';
  const after = WORD_END.test(value) ? '(?![\\p{L}\\p{M}\\p{N}])' : '';
  return new RegExp(before + literal + after, 'giu');
}
