import { scrubDocument } from '../telemetry/scrub.js';

/** The byte of UTF-8 that goes on with a character that has begun before it. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * What is kept of a notification: its content without card-like digits and secrets, as text that both stores take, and no more
 * than `limit` bytes of it. It is cut only after the scrubbing, which would not know half a card number.
 */
export function keptContent(body: Uint8Array, limit: number): string {
  const text = scrubDocument(Buffer.from(body).toString('utf8')).replaceAll('\0', '');
  return firstBytes(text, limit);
}

/** As many whole characters from the beginning of a text as fit into `limit` bytes of UTF-8. */
export function firstBytes(text: string, limit: number): string {
  // No sign of a string takes more than three bytes.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}
