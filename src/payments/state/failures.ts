import type { GatewayAnswer } from '../../gateway/gateway-result.js';
import type { Failure, FailureCode } from '../../store/schema.js';

/** The message for the payer where the gateway gave none. */
const MESSAGES: Readonly<Record<FailureCode, string>> = {
  declined: 'The payment was declined.',
  expired: 'The time for this payment has passed.',
  canceled: 'The payment was canceled.',
  resolved: 'The payment was closed by the shop.',
  gateway_unavailable: 'The payment service could not be reached. You have not been charged.',
  gateway_rejected: 'The payment service did not accept this payment.',
  gateway_credentials_rejected: 'The shop cannot take this payment right now.',
  gateway_busy: 'The payment service is busy. You have not been charged; please try again shortly.',
  gateway_never_received: 'The payment did not reach the payment service. You have not been charged.',
};

const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'gateway_unavailable',
  'gateway_busy',
  'gateway_never_received',
]);

/** A failure with its standard message, or with the gateway's own, which the caller has cleaned. */
export function failure(code: FailureCode, words: { message?: string; gatewayCode?: string } = {}): Failure {
  const { message, gatewayCode } = words;
  return {
    code,
    message: message !== undefined && message !== '' ? message : MESSAGES[code],
    ...(gatewayCode !== undefined && gatewayCode !== '' && { gatewayCode }),
    retryable: RETRYABLE.has(code),
  };
}

/** A failure in the gateway's own words. */
export function failureFrom(code: FailureCode, answer: Pick<GatewayAnswer, 'message' | 'code'>): Failure {
  return failure(code, { message: answer.message, gatewayCode: answer.code });
}
