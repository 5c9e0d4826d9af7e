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

/** A failure with its standard message, or with the gateway's own words, which the caller has cleaned. */
export function failure(
  code: FailureCode,
  {
    message = '',
    gatewayCode = '',
    reason,
  }: Partial<Pick<Failure, 'message' | 'gatewayCode' | 'reason'>> = {},
): Failure {
  return {
    code,
    message: message === '' ? MESSAGES[code] : message,
    ...(reason !== undefined && { reason }),
    ...(gatewayCode !== '' && { gatewayCode }),
    retryable: RETRYABLE.has(code),
  };
}

/** A failure in the gateway's own words. */
export function failureFrom(
  code: FailureCode,
  { message, code: gatewayCode, reason }: Pick<GatewayAnswer, 'message' | 'code' | 'reason'>,
): Failure {
  return failure(code, { message, gatewayCode, ...(isReasoned(code) && { reason }) });
}

/** Whose reason a bank can give: a payment that nobody made in time has none. */
function isReasoned(code: FailureCode): boolean {
  return code === 'declined' || code === 'gateway_rejected';
}
