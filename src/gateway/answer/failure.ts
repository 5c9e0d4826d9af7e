import type { DeclineReason, Failure, FailureCode } from '../fact.js';

/** What a payer reads where the gateway gave no reason of its own. */
const MESSAGES: Readonly<Partial<Record<FailureCode, string>>> = {
  declined: 'The payment was declined.',
  expired: 'The time to pay is over.',
  gateway_unavailable: 'The payment service could not be reached. You were not charged.',
  gateway_rejected: 'The payment service did not accept the payment. You were not charged.',
  gateway_credentials_rejected: 'The shop cannot take payments at the moment. You were not charged.',
  gateway_busy: 'The payment service is busy. You were not charged.',
};

/** Why something failed. `message` is the gateway's own, without what must not be shown. */
export function failureOf(
  code: FailureCode,
  {
    message,
    reason = null,
    gatewayCode = null,
  }: { message?: string; reason?: DeclineReason | null; gatewayCode?: string | null } = {},
): Failure {
  const isRetryable = code === 'gateway_unavailable' || code === 'gateway_busy' || reason === 'tryAgain';
  return { code, message: message ?? MESSAGES[code] ?? '', reason, gatewayCode, retryable: isRetryable };
}
