import type { TimeZone } from '../../calendar/time-zone.js';
import { beginningOf, endOf } from '../../http/validation/validators.js';
import { validationFailed } from '../../http/validation/validate.js';
import type { PaymentFilter } from '../state/payment-list.js';
import type { PaymentsQueryDto } from '../views/payment.dto.js';

/** A stretch of time, in milliseconds: from its beginning until before its end. What is absent is not bounded. */
export interface Stretch {
  from: number | undefined;
  to: number | undefined;
}

/** Reads `from` and `to`, dates being those of a zone. Throws `validation-failed` where nothing can lie between them. */
export function stretchOf(query: { from?: string; to?: string }, zone: TimeZone): Stretch {
  return stretchBetween(['from', query.from], ['to', query.to], zone);
}

type Named = readonly [name: string, text: string | undefined];

function stretchBetween([begins, first]: Named, [ends, last]: Named, zone: TimeZone): Stretch {
  const from = first === undefined ? undefined : beginningOf(first, zone);
  const to = last === undefined ? undefined : endOf(last, zone);
  if (from !== undefined && to !== undefined && from >= to) {
    throw validationFailed([{ pointer: `/${ends}`, message: `must be after ${begins}` }]);
  }
  return { from, to };
}

/** What a query of the list of payments asks for. */
export function paymentFilter(query: PaymentsQueryDto, zone: TimeZone): PaymentFilter {
  const { reference, status, method, amount, currency, last4, gatewayReference } = query;
  const { needsAttention, disputed, duplicate } = query;
  const paid = stretchBetween(['paidFrom', query.paidFrom], ['paidTo', query.paidTo], zone);
  return {
    ...{ reference, status, method, amount, currency, last4, gatewayReference },
    ...stretchOf(query, zone),
    paidFrom: paid.from,
    paidTo: paid.to,
    needsAttention: truth(needsAttention),
    disputed: truth(disputed),
    duplicate: truth(duplicate),
  };
}

function truth(word: 'true' | 'false' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'true';
}
