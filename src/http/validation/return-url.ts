import { textRule } from './validators.js';

const MAX_LENGTH = 2_048;

/** The complete form is required, because the URL parser repairs a lot: `https:evil.example`, backslashes, line breaks. */
const ABSOLUTE = /^https?:\/\/[^\s\\\p{Cc}/?#@]+(?:[/?#][^\s\\\p{Cc}]*)?$/iu;

/** Whether this is an absolute http or https address whose query leaves room for `payment` and `status`. */
export function isReturnUrl(text: string): boolean {
  if (text.length > MAX_LENGTH || !ABSOLUTE.test(text)) return false;
  const query = URL.parse(text)?.searchParams;
  return query !== undefined && !query.has('payment') && !query.has('status');
}

/** Whether payers may be sent there. Origins are compared as the URL parser reads them, never by prefix. */
export function isAllowedReturn(text: string, origins: readonly string[]): boolean {
  return isReturnUrl(text) && origins.includes(new URL(text).origin);
}

/** An absolute http or https address of at most 2048 characters, without `payment` or `status` in its query. */
export const IsReturnUrl = (): PropertyDecorator =>
  textRule(
    'isReturnUrl',
    'must be an absolute http or https address, without payment or status in its query',
    isReturnUrl,
  );

/** The address with the result added to its query. The rest stays byte for byte, but a header takes ASCII only. */
export function withResult(url: string, { payment, status }: { payment: string; status: string }): string {
  const at = url.indexOf('#');
  const [address, fragment] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${separator}payment=${payment}&status=${status}${fragment}`.replace(
    /[^\x21-\x7e]+/g,
    encodeURIComponent,
  );
}
