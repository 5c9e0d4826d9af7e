/** The members of a body that are amounts in major units. */
const AMOUNTS = ['amount', 'amountReceived'];

/** A decimal string, with its digits after the point. */
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?$/;

/**
 * The content with each amount written in one way, so that `10`, `10.0` and `10.00` are the same money: at least two digits after the
 * point, and no more than it needs. Two, because nearly all callers write them: fingerprints kept by former versions stay the same.
 */
export function withPlainAmounts(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  const members = content as Record<string, unknown>;
  const plain: Record<string, unknown> = { ...members };
  for (const name of AMOUNTS) {
    const value = members[name];
    if (typeof value === 'string') plain[name] = plainAmount(value);
  }
  return plain;
}

function plainAmount(text: string): string {
  const found = DECIMAL.exec(text);
  if (!found) return text;
  const [, whole = '', fraction = ''] = found;
  let needed = fraction.padEnd(2, '0');
  while (needed.length > 2 && needed.endsWith('0')) needed = needed.slice(0, -1);
  return `${whole}.${needed}`;
}
