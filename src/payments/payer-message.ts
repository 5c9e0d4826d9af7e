/** Longer words of a gateway are cut: a payer reads one sentence. */
const MAX_LENGTH = 300;
/** Shorter values occur in any sentence; removing them would spoil it and protect nobody. */
const SHORTEST_VALUE = 3;
/** Seven digits or more, with blanks or dashes between them: card numbers and their parts, account numbers, telephones. */
const DIGIT_RUN = /\d(?:[ \-.]?\d){6,}/g;
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/**
 * A gateway's message as a payer may read it: card-like digit runs and everything that the payer sent are removed,
 * whatever their case.
 */
export function cleanMessage(message: string | undefined, sent: readonly string[]): string | undefined {
  if (message === undefined) return undefined;
  let clean = message.replace(UNPRINTABLE, ' ').replace(DIGIT_RUN, '…');
  for (const value of sent) {
    if (value.length >= SHORTEST_VALUE) clean = removeAll(clean, value);
  }
  return clean.trim().slice(0, MAX_LENGTH);
}

function removeAll(text: string, value: string): string {
  const wanted = value.toLowerCase();
  let clean = text;
  for (let at = clean.toLowerCase().indexOf(wanted); at >= 0; at = clean.toLowerCase().indexOf(wanted)) {
    clean = `${clean.slice(0, at)}…${clean.slice(at + value.length)}`;
  }
  return clean;
}
