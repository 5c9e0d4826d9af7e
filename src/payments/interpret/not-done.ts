import type { GatewayResult } from '../../gateway/gateway-result.js';
import type { Failure, OperationRecord, PaymentRecord } from '../../store/schema.js';
import { failure, failureFrom } from '../state/failures.js';
import type { PaymentUpdate } from '../state/payment-update.js';

export const REFUSED = {
  code: 'gateway-refused',
  detail: 'The gateway refused this; the payment stays as it was.',
} as const;

/** The operation was certainly not done: nothing was sent, or the request was not taken. The payment stays as it is, or never begins. */
export function notDone(
  result: GatewayResult,
  { payment, operation }: { payment: PaymentRecord; operation: OperationRecord },
): PaymentUpdate | undefined {
  if (result.kind === 'answered' || result.kind === 'unknown') return undefined;
  const operations = [{ id: operation.id, status: 'refused' as const }];
  const isRejected = result.kind === 'rejected';
  if (operation.type !== 'pay') {
    return { operations, problem: problemOf(result, ''), ...(isRejected && { checkNow: true }) };
  }
  // What was rejected before the payment's own request tells nothing about the card.
  const uncounted = isRejected && result.preparation === true && { uncounted: true as const };
  return {
    ...(payment.status === 'processing' && {
      move: { to: 'failed', by: 'service', failure: failureOf(result), ...uncounted },
      conclusive: true,
    }),
    operations,
    ...(!isRejected && { problem: problemOf(result, '; the payment was not made') }),
  };
}

type NotDone = Exclude<GatewayResult, { kind: 'answered' | 'unknown' }>;

function failureOf(result: NotDone): Failure {
  switch (result.kind) {
    case 'not-sent':
      return failure('gateway_unavailable');
    case 'credentials-rejected':
      return failure('gateway_credentials_rejected');
    case 'busy':
      return failure('gateway_busy');
    case 'rejected':
      return failureFrom('gateway_rejected', result);
  }
}

/** What the caller is told. A problem names the code that the connection ended in, never a host. */
function problemOf(result: NotDone, besides: string): NonNullable<PaymentUpdate['problem']> {
  switch (result.kind) {
    case 'not-sent': {
      const why = result.cause === undefined ? '' : ` (${result.cause})`;
      const detail = `The gateway could not be reached${why}; nothing was sent.`;
      return { code: 'gateway-unavailable', detail };
    }
    case 'credentials-rejected':
      return {
        code: 'gateway-credentials-rejected',
        detail: `The gateway rejected the merchant’s credentials${besides}.`,
      };
    case 'busy':
      return {
        code: 'gateway-busy',
        detail: `The gateway is busy${besides}. Try again later.`,
        retryAfterSeconds: result.retryAfterSeconds ?? 5,
      };
    case 'rejected':
      return REFUSED;
  }
}
