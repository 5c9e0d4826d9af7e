import { beginningOf, endOf } from '../../http/validation/validators/is-moment.js';
import { validationFailed } from '../../http/validation/validate.js';
import type { PaymentFilter } from '../state/payment-list.js';
import type { PaymentsQueryDto } from '../views/payment.dto.js';

/** A stretch of time, in milliseconds: from its beginning until before its end. What is absent is not bounded. */
export interface Stretch {
  from: number | undefined;
  to: number | undefined;
}

/** Reads `from` and `to`. Throws `validation-failed` where nothing can lie between them. */
export function stretchOf(query: { from?: string; to?: string }): Stretch {
  const from = query.from === undefined ? undefined : beginningOf(query.from);
  const to = query.to === undefined ? undefined : endOf(query.to);
  if (from !== undefined && to !== undefined && from >= to) {
    throw validationFailed([{ pointer: '/to', message: 'must be after from' }]);
  }
  return { from, to };
}

/** What a query of the list of payments asks for. */
export function paymentFilter(query: PaymentsQueryDto): PaymentFilter {
  const { reference, status, method, amount, last4, gatewayReference, needsAttention, disputed, duplicate } =
    query;
  return {
    ...{ reference, status, method, amount, last4, gatewayReference },
    ...stretchOf(query),
    needsAttention: truth(needsAttention),
    disputed: truth(disputed),
    duplicate: truth(duplicate),
  };
}

function truth(word: 'true' | 'false' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'true';
}
