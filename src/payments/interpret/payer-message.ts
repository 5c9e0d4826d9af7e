import { EchoFinder } from './echo-finder.js';
import { countsAnywhere } from './whole-words.js';

/** Longer words of a gateway are cut: a payer reads one sentence. */
const MAX_LENGTH = 300;
/** Seven digits or more, with blanks or dashes between them: card numbers and their parts, account numbers, telephones. */
const DIGIT_RUN = /\d(?:[ \-.]?\d){6,}/g;
const WORD_BEGIN = /^[\p{L}\p{M}\p{N}]/u;
const WORD_END = /[\p{L}\p{M}\p{N}]$/u;
const ASCII = /^\p{ASCII}*$/u;
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * A gateway's message as a payer may read it: card-like digit runs and everything that the payer sent are removed,
 * whatever their case; short ones only where they stand alone. A message that repeats one of the payer's secrets in another form
 * is dropped whole.
 */
export function cleanMessage(
  message: string | undefined,
  sent: readonly string[],
  secrets: readonly string[] = [],
): string | undefined {
  if (message === undefined) return undefined;
  let clean = message.replace(UNPRINTABLE, ' ');
  const mayHold = holds(clean);
  const found = [...sent, ...secrets]
    .map((value) => value.trim())
    .filter((value) => value !== '' && mayHold(value));
  // The longest first: a name must not leave the rest of the e-mail address that holds it.
  for (const value of found.sort((a, b) => b.length - a.length)) {
    clean = clean.replace(occurrences(value), '…');
  }
  // Digits last: a value that holds some must still be found whole.
  clean = clean.replace(DIGIT_RUN, '…').trim().slice(0, MAX_LENGTH);
  // What is written in another form cannot be taken out word by word.
  return secrets.length > 0 && new EchoFinder(secrets).isIn(clean) ? undefined : clean;
}

/**
 * Tells which values cannot be in a text, so that no expression is made for them. Between ASCII texts folding the case is all
 * that the expressions do; of any other two texts it says nothing, for some letters outside ASCII fold to ones in it.
 */
function holds(text: string): (value: string) => boolean {
  if (!ASCII.test(text)) return () => true;
  const folded = text.toLowerCase();
  return (value) => folded.includes(value.toLowerCase()) || !ASCII.test(value);
}

/** An expression of the value's own signs alone, which takes no longer than the text is long. */
function occurrences(value: string): RegExp {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (countsAnywhere(value)) return new RegExp(literal, 'giu');
  const before = WORD_BEGIN.test(value) ? '(?<![\\p{L}\\p{M}\\p{N}])' : '';
  const after = WORD_END.test(value) ? '(?![\\p{L}\\p{M}\\p{N}])' : '';
  return new RegExp(before + literal + after, 'giu');
}
