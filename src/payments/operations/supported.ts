import type { Gateway } from '../../gateway/gateway.js';
import type { OperationKey } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';

/** Throws `not-supported` where the profile says that the gateway lacks an operation. */
export function assertSupported(gateway: Gateway, operation: OperationKey): void {
  if (gateway.supports(operation)) return;
  const refunds = operation === 'void' && gateway.supports('refund');
  throw new Problem(
    'not-supported',
    refunds ? 'The gateway cannot void a payment, only refund it.' : 'The gateway has no operation for this.',
  );
}
