import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { PageDto, RangePageQueryDto } from '../payments/api/paging.dto.js';
import { ACCESSES, type Access } from '../auth/caller.js';

/** One call that would change something, or the refused keys of one address and minute. */
export class AuditEntryDto {
  id: string;
  /** When the call began. RFC 3339, UTC. */
  at: string;
  /**
   * `merchant`, or `merchant:<name>` for a named key; `unknown` for a refused key.
   * @example "merchant:ops-anna"
   */
  actor: string;
  /**
   * A verb, such as `refund`; `authenticate` for a refused key. Expect new words.
   * @example "void"
   */
  action: string;
  /** The id of the payment, session, event or other thing; null if there is none. */
  object: string | null;
  /** The caller's address. For refused keys from IPv6: its /64. Null once more than 100 addresses tried in one minute. */
  address: string | null;
  /** As in `X-Request-Id`. */
  requestId: string | null;
  /**
   * `ok`, or the code of the problem that was answered.
   * @example "ok"
   */
  outcome: string;
  /** How many refused keys this entry counts. Absent for everything else. */
  count?: number;
}

export class AuditListDto extends PageDto {
  /** Newest first. */
  data: AuditEntryDto[];
}

/** Selects entries that match every given value. */
export class AuditQueryDto extends RangePageQueryDto {
  /**
   * The exact actor.
   * @example "merchant:ops-anna"
   */
  @IsOptional()
  @Matches(/^[a-z0-9:-]{1,64}$/, { message: '$property must be an actor such as merchant:anna' })
  actor?: string;

  /**
   * The exact action.
   * @example "refund"
   */
  @IsOptional()
  @Matches(/^[a-z-]{1,40}$/, { message: '$property must be a word such as refund' })
  action?: string;

  /** The exact id of a payment, session, event or other thing. */
  @IsOptional()
  @Matches(/^\w{1,100}$/, { message: '$property must be an id' })
  object?: string;
}

/** Who signed in, and what the key may do. */
export class SignInDto {
  /** `merchant`, or `merchant:<name>` for a named key. */
  actor: string;
  /** `full`, `read` (reads everything), or `books` (reads payments and works on the books). */
  @ApiProperty({ enum: ACCESSES })
  access: Access;
  /** False with `GATEWAY_MODE=test`: no real money moves. */
  livemode: boolean;
  /**
   * `BOOKS_TIME_ZONE`: the time zone of every date.
   * @example "Africa/Lagos"
   */
  timeZone: string;
}
