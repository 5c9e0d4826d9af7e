import type { Fact } from '../fact.js';
import { failureOf } from './failure.js';
import type { Kind } from './reader.js';

/** The longest wait that a gateway may ask for. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/**
 * Rule 1: what the HTTP status alone means; `body` where the body decides. A query that is refused is unclear, whatever refused it.
 * `isPage`: the body begins with `<`, so a firewall answered and not the gateway.
 */
export function judgeStatus(
  kind: Kind,
  status: number,
  isPage: boolean,
  reasons: () => Parameters<typeof failureOf>[1],
  retryAfterSeconds?: number,
): Fact | 'body' {
  if (status >= 200 && status <= 202) return 'body';
  const isQuery = kind === 'status' || kind === 'refundStatus';
  const refused = (code: Parameters<typeof failureOf>[0], cardTried = false): Fact =>
    isQuery
      ? { is: 'unclear', why: code }
      : {
          is: 'refused',
          failure: code === 'gateway_rejected' ? failureOf(code, reasons()) : failureOf(code),
          cardTried: cardTried && kind === 'card',
          ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        };
  switch (status) {
    case 400:
    case 404:
    case 422:
      return isPage ? refused('gateway_unavailable') : refused('gateway_rejected', true);
    case 401:
    case 403:
      return refused(isPage ? 'gateway_unavailable' : 'gateway_credentials_rejected');
    case 429:
      return refused('gateway_busy');
    default:
      return { is: 'unclear', why: `HTTP ${status}` };
  }
}

/** `Retry-After` in seconds (RFC 9110: seconds, or a date), at most a day. */
export function retryAfterOf(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const isDate = /^[A-Z][a-z]+, .* GMT$/.test(text);
  const seconds = isDate ? Math.ceil((Date.parse(text) - now.getTime()) / 1000) : Number(text);
  if (text === '' || !(isDate || /^[0-9]{1,9}$/.test(text)) || Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
