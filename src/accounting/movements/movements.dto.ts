import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsCurrency } from '../../http/validation/validators.js';
import { formatMajor } from '../../money/money.js';
import { PageDto, RangePageQueryDto } from '../../payments/api/paging.dto.js';
import type { MovementKind } from '../../store/store.js';
import type { SettledRow } from '../differences/parts.js';
import { timeText } from '../../payments/core/view.js';
import type { LedgerEntry } from './movements.repository.js';

export const MOVEMENT_KINDS = [
  ...(['payment', 'refund', 'refund_reversal', 'void', 'void_reversal'] as const),
  ...(['chargeback', 'chargeback_reversal', 'correction'] as const),
] as const satisfies readonly MovementKind[];
const DIRECTIONS = ['in', 'out'] as const;
const SOURCES = ['gateway', 'person'] as const;

/** How settlement reports settle a movement. */
export class SettledDto {
  /** The report that has the newest row. */
  settlementId: string;
  /** Its line in the file. */
  line: number;
  /** When the gateway settled it; null if the report does not say. RFC 3339, UTC. */
  at: string | null;
  /** All rows of this part of the payment. Decimal, in major units; null except on the part's first movement. */
  gross: string | null;
  /** What the gateway keeps, in `netCurrency`. */
  fee: string | null;
  /** What you get, in `netCurrency`; below zero for what you give. */
  net: string | null;
  netCurrency: string | null;
}

/** Money that moved: one entry of the ledger. It never changes, except that `settled` is derived and `reason` can be erased. */
export class MovementDto {
  /** @example "mov_mi7v0s2k3q2x7wRrUtQ1yZ0a" */
  id: string;
  /**
   * `payment`: captured; `refund_reversal`: a refund that bounced; `void`: reversed after capture; `void_reversal`: a person undid that;
   * `chargeback_reversal`: a dispute that was won; `correction`: what a person said was received.
   */
  @ApiProperty({ enum: MOVEMENT_KINDS, enumName: 'MovementKind' })
  kind: MovementKind;
  @ApiProperty({ enum: DIRECTIONS })
  direction: 'in' | 'out';
  /**
   * Decimal, in major units, above zero.
   * @example "1500.00"
   */
  amount: string;
  currency: string;
  /** The gateway's time if it gives a plausible one, else when we learned of it. RFC 3339, UTC. */
  at: string;
  recordedAt: string;
  /** Recorded after its month had ended. */
  late: boolean;
  paymentId: string;
  reference: string;
  gatewayReference: string;
  transactionRef: string | null;
  refundId: string | null;
  method: string;
  actor: string | null;
  /** A refund's reason or a person's note; null once erased. */
  reason: string | null;
  @ApiProperty({ enum: SOURCES })
  source: 'gateway' | 'person';
  /** Null until reports have it. */
  settled: SettledDto | null;
}

export class MovementListDto extends PageDto {
  /** Oldest first. */
  data: MovementDto[];
}

/** Selects movements that match every given value; `from` and `to` are when money moved. */
export class MovementsQueryDto extends RangePageQueryDto {
  @IsOptional()
  @IsIn(MOVEMENT_KINDS)
  kind?: MovementKind;

  @IsOptional()
  @IsCurrency()
  currency?: string;

  @IsOptional()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be 1 to 40 letters, digits, dots or dashes' })
  reference?: string;

  @IsOptional()
  @Matches(/^pay_\w{1,60}$/, { message: '$property must be the id of a payment' })
  paymentId?: string;

  /** Whether reports have it. */
  @IsOptional()
  @IsIn(['true', 'false'])
  settled?: 'true' | 'false';
}

/** Built field by field. */
export function movementView(entry: LedgerEntry): MovementDto {
  const { id, kind, direction, currency, paymentId, reference, gatewayReference } = entry;
  const { transactionRef, refundId, method, actor, reason, source, settled } = entry;
  return {
    ...{ id, kind, direction, amount: formatMajor(BigInt(entry.amount), currency), currency },
    ...{ at: new Date(entry.at).toISOString(), recordedAt: new Date(entry.recordedAt).toISOString() },
    ...{ late: entry.late === 1, paymentId, reference, gatewayReference, transactionRef, refundId },
    ...{ method, actor, reason, source, settled: settled && settledView(settled, currency) },
  };
}

/** Built field by field. */
export function settledView(
  { settlementId, line, at, gross, fee, net, netCurrency }: SettledRow,
  currency: string,
): SettledDto {
  const text = (minor: string | null, of: string | null): string | null =>
    minor === null || of === null ? null : formatMajor(BigInt(minor), of);
  return {
    ...{ settlementId, line, at: timeText(at), gross: text(gross, currency) },
    ...{ fee: text(fee, netCurrency), net: text(net, netCurrency), netCurrency },
  };
}
