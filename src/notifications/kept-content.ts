import { scrubDocument } from '../telemetry/scrub.js';

/** The byte of UTF-8 that goes on with a character that has begun before it. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * The part of a notification that is stored: without card-like digits and secrets, as text that both stores accept, cut
 * to `limit` bytes. It is cut after the scrubbing, which would not recognize half a card number.
 */
export function keptContent(body: Uint8Array, limit: number): string {
  // Without NUL first, which may stand between the digits of a card number.
  const text = scrubDocument(Buffer.from(body).toString('utf8').replaceAll('\0', ''));
  return firstBytes(text, limit);
}

/** The longest beginning of a text that fits into `limit` bytes of UTF-8 without cutting a character. */
export function firstBytes(text: string, limit: number): string {
  // No UTF-16 unit takes more than three bytes.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}
