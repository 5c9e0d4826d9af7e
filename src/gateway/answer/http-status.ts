import type { DeclineReason, Fact, Failure, FailureCode } from '../fact.js';
import { isQuery, type Kind } from './reader.js';

/** What an answer says for itself. */
export interface Reasons {
  readonly message?: string | undefined;
  readonly reason?: DeclineReason | null;
  readonly gatewayCode?: string | null;
}

/** What a payer reads where the gateway gave no reason of its own. */
const MESSAGES: Readonly<Partial<Record<FailureCode, string>>> = {
  declined: 'The payment was declined.',
  expired: 'The time to pay is over.',
  gateway_unavailable: 'The payment service could not be reached. You were not charged.',
  gateway_rejected: 'The payment service did not accept the payment. You were not charged.',
  gateway_credentials_rejected: 'The shop cannot take payments at the moment. You were not charged.',
  gateway_busy: 'The payment service is busy. You were not charged.',
};

/** Why something failed. `message` has been cleared of what must not be shown. */
export function failureOf(
  code: FailureCode,
  { message, reason = null, gatewayCode = null }: Reasons = {},
): Failure {
  const retryable = code === 'gateway_unavailable' || code === 'gateway_busy' || reason === 'tryAgain';
  return { code, message: message ?? MESSAGES[code] ?? '', reason, gatewayCode, retryable };
}

/**
 * Rule 1, for a body that does not decide: what the HTTP status alone means. A query that is refused is unclear, whatever refused it.
 * `isPage`: a firewall answered and not the gateway.
 */
export function judgeStatus(
  kind: Kind,
  status: number,
  isPage: boolean,
  reasons: () => Reasons,
  retryAfterSeconds?: number,
): Fact {
  const code = codeOf(status, isPage);
  if (code === undefined) return { is: 'unclear', why: `HTTP ${status}` };
  if (isQuery(kind)) return { is: 'unclear', why: code };
  const isRejected = code === 'gateway_rejected';
  return {
    is: 'refused',
    failure: failureOf(code, isRejected ? reasons() : {}),
    cardTried: isRejected && kind === 'card',
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** The failure that an HTTP status means; undefined where it means none. */
export function codeOf(status: number, isPage: boolean): FailureCode | undefined {
  if (status === 429) return 'gateway_busy';
  if (![400, 401, 403, 404, 422].includes(status)) return undefined;
  if (isPage) return 'gateway_unavailable';
  return status === 401 || status === 403 ? 'gateway_credentials_rejected' : 'gateway_rejected';
}

/** `Retry-After` in seconds (RFC 9110: seconds, or a date), at most a day. */
export function retryAfterOf(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const isDate = /^[A-Z][a-z]+, .* GMT$/.test(text);
  if (!isDate && !/^[0-9]{1,9}$/.test(text)) return undefined;
  const seconds = isDate ? Math.ceil((Date.parse(text) - now.getTime()) / 1000) : Number(text);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), 86_400);
}
