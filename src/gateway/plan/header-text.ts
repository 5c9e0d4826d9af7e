/** A text as a header can carry it: what is not printable ASCII is percent-encoded, as UTF-8. */
export function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+/gu, (run) => encodeURIComponent(run));
}
