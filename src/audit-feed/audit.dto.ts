import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText, IsMoment } from '../http/validation/validators.js';
import { ACCESSES, type Access } from '../sessions/caller.js';

/** Somebody did something, or tried to. */
export class AuditEntryDto {
  /** @example "aud_mi7v0s2k3q2x7wRrUtQ1yZ0a" */
  id: string;
  /** When it began. RFC 3339, UTC. */
  at: string;
  /**
   * `merchant`, or `merchant:<name>` with a named key; `…/cli:<user>` for a command that calls the service, `cli:<user>` for one
   * that opens the store itself; `unknown` for a wrong key.
   * @example "merchant:ops-anna"
   */
  actor: string;
  /**
   * What was done, a verb; `authenticate` for a wrong key. More words may come.
   * @example "void"
   */
  action: string;
  /** The id of what it was done to; null where there is none. */
  object: string | null;
  /** The caller's address; a /64 for wrong keys from IPv6; null for commands, and for wrong keys beyond 100 addresses a minute. */
  address: string | null;
  /** The request's id where that is a UUID or a trace id; else one of the audit's own, which the log has beside the request's. Null for commands. */
  requestId: string | null;
  /**
   * `ok`, or the code of the problem that was answered; `outcome-unknown` also where the process died during it.
   * @example "ok"
   */
  outcome: string;
  /** How many wrong keys it counts; 1 for everything else. */
  count: number;
}

/** Entries of the audit in their one order, the oldest first unless the newest were asked for. */
export class AuditListDto {
  data: AuditEntryDto[];
  /** The last entry's id, to ask with as `after`; null where there was none: ask again with the same. */
  nextCursor: string | null;
}

/** Which entries are asked for: those that fit all of it. */
class AuditFilterDto {
  /** Those that began at this time or later: a time (RFC 3339), or a date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Those that began before this time, or until the end of this date in `BOOKS_TIME_ZONE`. */
  @IsOptional()
  @IsMoment()
  to?: string;

  /**
   * As an entry has it, whole.
   * @example "merchant:ops-anna"
   */
  @IsOptional()
  @IsString()
  @Matches(/^[\x21-\x24\x26-\x7e]{1,200}$/, { message: '$property must be an actor as entries have it' })
  actor?: string;

  /**
   * What was done.
   * @example "refund"
   */
  @IsOptional()
  @IsString()
  @Matches(/^[a-z-]{1,40}$/, { message: '$property must be a word such as refund' })
  action?: string;

  /** The id of what it was done to. */
  @IsOptional()
  @IsString()
  @Matches(/^[\x21-\x24\x26-\x7e]{1,200}$/, { message: '$property must be an id' })
  object?: string;
}

/** Which entries the table has, and for whom it is. */
export class AuditCsvQueryDto extends AuditFilterDto {
  /** `spreadsheet`: the table begins with a byte order mark, by which a spreadsheet knows that it is UTF-8. */
  @IsOptional()
  @IsIn(['spreadsheet'])
  for?: 'spreadsheet';
}

/** Which entries to list. */
export class AuditQueryDto extends AuditFilterDto {
  /** The id of the entry after which the list begins; from the first one by default. */
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{1,64}$/, { message: '$property must be the id of an entry' })
  after?: string;

  /** `oldest` first by default; with `newest` the list goes back in time, and `after` asks for what is older. */
  @IsOptional()
  @IsIn(['oldest', 'newest'])
  order?: 'oldest' | 'newest';

  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;
}

/** Who signed in, and what the key may do. */
export class SignInDto {
  /** `merchant`, or `merchant:<name>` with a named key. */
  actor: string;
  /** `full`; `read` for a key that only reads; `books` for one that reads with payer data masked, uploads reports, and notes and closes differences. */
  @ApiProperty({ enum: ACCESSES })
  access: Access;
  livemode: boolean;
  /**
   * `BOOKS_TIME_ZONE`: the time zone of every day and month in the books.
   * @example "Africa/Lagos"
   */
  timeZone: string;
}

const entry = {
  id: 'aud_mi7v0s2k3q2x7wRrUtQ1yZ0a',
  at: '2031-01-01T10:04:05.678Z',
  actor: 'merchant:ops-anna',
  action: 'void',
  object: 'pay_8Yk2cQ0nVtXw4u7LhZ1sRb6E',
  address: '192.0.2.44',
  requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  outcome: 'ok',
  count: 1,
};
const wrongKeys = {
  ...entry,
  id: 'aud_mi7v1ckq0b9w7wRrUtQ1yZ0a',
  at: '2031-01-01T10:05:00.002Z',
  actor: 'unknown',
  action: 'authenticate',
  object: null,
  address: '2001:db8:1:2::/64',
  requestId: '0af7651916cd43dd8448eb211c80319c',
  outcome: 'unauthorized',
  count: 23,
};

/** A page of the audit, for the description of the API. */
export const AUDIT_EXAMPLE = { data: [entry, wrongKeys], nextCursor: wrongKeys.id };

/** A sign-in. */
export const SIGN_IN_EXAMPLE = {
  actor: 'merchant:ops-anna',
  access: 'full',
  livemode: false,
  timeZone: 'Africa/Lagos',
};
