import { IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText, IsPlainText } from '../../http/validation/validators.js';
import { NAME_SOURCES, type NameSource } from '../../store/payment-name.js';
import { ApiProperty } from '@nestjs/swagger';

/** Why a held reference is released. */
export class ReleaseReferenceDto {
  /**
   * How it was found out that no other payment of the order is on its way: at most 500 characters.
   * @example "The gateway's dashboard has no payment ORDER-1001_2."
   */
  @IsPlainText(500)
  note: string;
}

/** Which held references to list. */
export class HeldReferencesQueryDto {
  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9.-]{1,40}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** A payment that may have been made, though it is not known here. */
export class PaymentNameDto {
  /**
   * What the gateway calls it.
   * @example "ORDER-1001_2"
   */
  gatewayReference: string;

  /**
   * Where it was heard of: `loss` (commits that the database has forgotten), `report` (a settlement report), `notification` (one that
   * matched nothing), or `next` (it comes after one that the gateway knows).
   */
  @ApiProperty({ enum: NAME_SOURCES, enumName: 'NameSource' })
  source: NameSource;

  /** When it was first heard of. */
  at: string;

  /** When a person released it; null where nobody did. */
  releasedAt: string | null;

  /** Who released it; null where nobody did. */
  releasedBy: string | null;
}

/** A reference of which no payment starts for now. */
export class HeldReferenceDto {
  /**
   * The merchant's.
   * @example "ORDER-1001"
   */
  reference: string;

  /** Since when the gateway has not said what became of the named payments; null once it is released. */
  heldSince: string | null;

  /** The payments that it is held for. */
  names: PaymentNameDto[];
}

export class HeldReferenceListDto {
  data: HeldReferenceDto[];

  /** Where the next page begins; null on the last one. */
  nextCursor: string | null;
}
