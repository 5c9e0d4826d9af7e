import type { TimeZone } from '../../calendar/time-zone.js';
import { beginningOf, endOf } from '../../http/validation/validators.js';
import type { PaymentFilter, PaymentCursor } from '../state/payment-list.js';
import type { PaymentsQueryDto } from '../views/payment.dto.js';
import { Problem, validationFailed } from '../../http/problems/problem.js';

/** A range of time, in milliseconds: from its beginning until before its end. What is absent is not bounded. */
export interface TimeRange {
  from?: number | undefined;
  to?: number | undefined;
}

/** Reads `from` and `to`, dates being those of a zone. Throws `validation-failed` where nothing can lie between them. */
export function timeRangeOf(query: { from?: string; to?: string }, zone: TimeZone): TimeRange {
  return timeRangeBetween(['from', query.from], ['to', query.to], zone);
}

type Named = readonly [name: string, text: string | undefined];

function timeRangeBetween([begins, first]: Named, [ends, last]: Named, zone: TimeZone): TimeRange {
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
  const paid = timeRangeBetween(['paidFrom', query.paidFrom], ['paidTo', query.paidTo], zone);
  return {
    ...{ reference, status, method, amount, currency, last4, gatewayReference },
    ...timeRangeOf(query, zone),
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

/** Writes where a page of the list of payments ends. */
export function writeCursor({ createdAt, id }: PaymentCursor): string {
  return Buffer.from(`${createdAt.toString(36)}.${id}`).toString('base64url');
}

/** Reads what `writeCursor` wrote. Throws `validation-failed` for anything else. */
export function readCursor(text: string): PaymentCursor {
  const match = /^([0-9a-z]{1,10})\.(pay_[A-Za-z0-9_-]{1,40})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  const [, createdAt, id] = match ?? [];
  if (createdAt === undefined || id === undefined) {
    throw new Problem('validation-failed', 'The query does not fit.', {
      errors: [{ pointer: '/cursor', message: 'must be a nextCursor of this list' }],
    });
  }
  return { createdAt: parseInt(createdAt, 36), id };
}
