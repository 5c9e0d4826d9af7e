import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsCurrency, IsIntegerText, IsMoment } from '../http/validation/validators.js';
import { formatMajor } from '../money/money.js';
import type { TimeZone } from '../calendar/time-zone.js';
import {
  MOVEMENT_KINDS,
  type MovementKind,
  type MovementRecord,
  type RecordedMethod,
} from '../store/schema.js';
import type { ListedMovement } from './movement-list.js';
import { PaymentRefundDto, REFUND_STATUSES } from '../payments/views/refund.dto.js';
import type { AnyRefund, RefundStatus } from './all-refunds.repository.js';

/** Which movements to list. */
export class MovementsQueryDto {
  /** Only those whose money moved at this time or later (`at`): a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Only those whose money moved before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;

  /** Only those of this kind. */
  @IsOptional()
  @IsIn(MOVEMENT_KINDS)
  kind?: MovementKind;

  /** Only those in this currency (ISO 4217). */
  @IsOptional()
  @IsCurrency()
  currency?: string;

  /** Only those of this reference's payments. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference?: string;

  /** Only those of this payment. */
  @IsOptional()
  @IsString()
  @Matches(/^pay_[A-Za-z0-9_-]{1,40}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;

  /** `true`: only those that settlement reports have settled in whole; `false`: only the others. */
  @IsOptional()
  @IsIn(['true', 'false'])
  settled?: 'true' | 'false';

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** What a settlement report says of a movement. */
export class SettledDto {
  settlementId: string;
  /** The line of the report; of a payment that was settled in parts that of the last one. */
  line: number;
  /** When, as the report says: RFC 3339, UTC; null where it does not say. */
  at: string | null;
  /** Decimal, in major units: of a payment that was settled in parts the sum, like `fee` and `net`. */
  gross: string;
  /** Null where the report does not say. */
  fee: string | null;
  /** Null where the report does not say. */
  net: string | null;
}

/** Money that moved: an entry of the ledger. But for `settled` and an erased `reason` it never changes. */
export class MovementDto {
  /** @example "mov_8Yk2cQ0nVtXw4u7LhZ1sRb6E" */
  id: string;
  /**
   * `payment`: captured. `refund`: given back. `refund_reversal`: a refund came back. `void`: reversed after it was captured. `chargeback`: the
   * payer's bank took it back. `chargeback_reversal`: the dispute was won. `correction`: a person said that another amount arrived.
   */
  kind: MovementKind;
  /** `in`: to you. `out`: from you. */
  direction: 'in' | 'out';
  /**
   * Above zero. Decimal, in major units.
   * @example "1500.00"
   */
  amount: string;
  /** @example "NGN" */
  currency: string;
  /** When the money moved, as the gateway says; otherwise when that was learned. RFC 3339, UTC. */
  at: string;
  /** When it was entered. RFC 3339, UTC. */
  recordedAt: string;
  /** It was entered after the month of `at` had ended in `BOOKS_TIME_ZONE`. */
  late: boolean;
  paymentId: string;
  reference: string;
  gatewayReference: string;
  /** The gateway's own name for the transaction. */
  transactionRef: string | null;
  /** The refund that it belongs to; null of other kinds, and of refunds that were made at the gateway's own dashboard. */
  refundId: string | null;
  method: RecordedMethod;
  /** Who asked for it, or `gateway`. */
  actor: string;
  /** Why, as a person wrote. `[erased]` once the payer's data was erased. */
  reason: string | null;
  /** Whose word it is. */
  source: 'gateway' | 'person' | 'report';
  /** Null until settlement reports have settled it in whole. */
  settled: SettledDto | null;
}

export class MovementListDto {
  /** By `at`, the oldest first. */
  data: MovementDto[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** A movement as it is shown, built field by field. */
export function viewMovement({ movement, reason, settled }: ListedMovement, zone: TimeZone): MovementDto {
  const { currency } = movement;
  return {
    id: movement.id,
    kind: movement.kind,
    direction: movement.direction,
    amount: formatMajor(movement.amount, currency),
    currency,
    at: new Date(movement.at).toISOString(),
    recordedAt: new Date(movement.recordedAt).toISOString(),
    late: isLate(movement, zone),
    paymentId: movement.paymentId,
    reference: movement.reference,
    gatewayReference: movement.gatewayReference,
    transactionRef: movement.transactionRef,
    refundId: movement.refundId,
    method: movement.method,
    actor: movement.actor,
    reason,
    source: movement.source,
    settled: settled && {
      settlementId: settled.settlementId,
      line: settled.line,
      at: settled.at === null ? null : new Date(settled.at).toISOString(),
      gross: formatMajor(settled.gross, currency),
      fee: settled.fee === null ? null : formatMajor(settled.fee, currency),
      net: settled.net === null ? null : formatMajor(settled.net, currency),
    },
  };
}

/** Whether an entry was written after its month had ended. */
export function isLate(
  { at, recordedAt }: Pick<MovementRecord, 'at' | 'recordedAt'>,
  zone: TimeZone,
): boolean {
  return recordedAt >= zone.endOfMonth(at);
}

const charged = {
  id: 'mov_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  kind: 'payment',
  direction: 'in',
  amount: '1500.00',
  currency: 'NGN',
  at: '2031-01-31T10:04:05.000Z',
  recordedAt: '2031-01-31T10:04:07.114Z',
  late: false,
  paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  reference: 'ORDER-1001',
  gatewayReference: 'ORDER-1001_1',
  transactionRef: 'TX-77120',
  refundId: null,
  method: 'card',
  actor: 'gateway',
  reason: null,
  source: 'gateway',
  settled: {
    settlementId: 'stl_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
    line: 14,
    at: '2031-02-02T00:00:00.000Z',
    gross: '1500.00',
    fee: '22.50',
    net: '1477.50',
  },
};

/** A payment and a refund of it, for the description of the API. */
export const MOVEMENTS_EXAMPLE = {
  data: [
    charged,
    {
      ...charged,
      id: 'mov_8Yl0aZ4mTsWv3r6KgY9qPc2D',
      kind: 'refund',
      direction: 'out',
      amount: '500.00',
      at: '2031-01-31T16:20:00.000Z',
      recordedAt: '2031-01-31T16:20:01.530Z',
      refundId: 'ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
      actor: 'merchant:ops-anna',
      reason: 'One of two books was out of stock.',
      settled: null,
    },
  ],
  nextCursor: null,
};

/** Which refunds to list. */
export class RefundsQueryDto {
  /** Only those made at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Only those made before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;

  /** Only those in this status. */
  @IsOptional()
  @IsIn(REFUND_STATUSES)
  status?: RefundStatus;

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** A refund of any payment. */
class AnyRefundDto extends PaymentRefundDto {
  /** The payment's. */
  reference: string;
  /** @example "NGN" */
  currency: string;
  /**
   * `merchant`: made here. `gateway`: made at the gateway's own dashboard; its `id` is that of its movement, and its `createdAt` is when it was
   * made, as far as that is known. It is `failed` once it is known that it was one of yours, or none.
   */
  source: 'merchant' | 'gateway';
  /** Who asked for it, as timelines name them; `gateway` where it was made at the gateway's own dashboard. */
  actor: string;
}

export class AllRefundsDto {
  /** The newest first. */
  data: AnyRefundDto[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** A refund as it is shown, built field by field. */
export function viewAnyRefund(refund: AnyRefund): AnyRefundDto {
  return {
    id: refund.id,
    paymentId: refund.paymentId,
    reference: refund.reference,
    amount: formatMajor(refund.amount, refund.currency),
    currency: refund.currency,
    status: refund.status,
    source: refund.source,
    actor: refund.actor,
    reason: refund.reason,
    createdAt: new Date(refund.at).toISOString(),
  };
}

const refunded = {
  id: 'ref_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  paymentId: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  reference: 'ORDER-1001',
  amount: '500.00',
  currency: 'NGN',
  status: 'succeeded',
  source: 'merchant',
  actor: 'merchant:anna',
  reason: 'One of two books was out of stock.',
  createdAt: '2031-01-31T16:20:00.000Z',
};

/** A refund that was made here, and one of the gateway's dashboard, for the description of the API. */
export const REFUNDS_EXAMPLE = {
  data: [
    {
      ...refunded,
      id: 'mov_8Yl0aZ4mTsWv3r6KgY9qPc2D',
      amount: '200.00',
      source: 'gateway',
      actor: 'gateway',
      reason: null,
      createdAt: '2031-01-31T18:00:00.000Z',
    },
    refunded,
  ],
  nextCursor: null,
};
