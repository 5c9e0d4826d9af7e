/** Longer words of a gateway are cut: a payer reads one sentence. */
const MAX_LENGTH = 300;
/** Shorter values occur inside any word; they are removed only where they stand alone. */
const SHORTEST_ANYWHERE = 3;
/** Seven digits or more, with blanks or dashes between them: card numbers and their parts, account numbers, telephones. */
const DIGIT_RUN = /\d(?:[ \-.]?\d){6,}/g;
const ASCII = /^\p{ASCII}*$/u;
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * A gateway's message as a payer may read it: card-like digit runs and everything that the payer sent are removed,
 * whatever their case.
 */
export function cleanMessage(message: string | undefined, sent: readonly string[]): string | undefined {
  if (message === undefined) return undefined;
  let clean = message.replace(UNPRINTABLE, ' ');
  const mayHold = holds(clean);
  const found = sent.map((value) => value.trim()).filter((value) => value !== '' && mayHold(value));
  // The longest first: a name must not leave the rest of the e-mail address that holds it.
  for (const value of found.sort((a, b) => b.length - a.length)) {
    clean = clean.replace(occurrences(value), '…');
  }
  // Digits last: a value that holds some must still be found whole.
  return clean.replace(DIGIT_RUN, '…').trim().slice(0, MAX_LENGTH);
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

function occurrences(value: string): RegExp {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const whole =
    value.length >= SHORTEST_ANYWHERE ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
  return new RegExp(whole, 'giu');
}
