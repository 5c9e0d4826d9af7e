const texts = new Map<string, string>();
const MAX_TEXTS = 1_000;

/** The text with `$1`, `$2` … for its question marks. */
export function numbered(text: string): string {
  let known = texts.get(text);
  if (known === undefined) {
    let count = 0;
    known = text.replaceAll('?', () => `$${(count += 1)}`);
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(text, known);
  }
  return known;
}
