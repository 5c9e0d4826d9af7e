import { IntersectionType } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { IsIntegerText, IsMoment } from '../../http/validation/validators.js';

const DEFAULT_LIMIT = 50;

/** Which part of a list to answer with. */
export class PageQueryDto {
  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @Matches(/^[\w-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

/** A stretch of time. */
export class RangeQueryDto {
  /** This time or later: RFC 3339, or a date in `BOOKS_TIME_ZONE`. By default a summary covers 13 months, and all else everything. */
  @IsOptional()
  @IsMoment()
  from?: string;

  /** Before this time, or until the end of this date in `BOOKS_TIME_ZONE`; now by default. */
  @IsOptional()
  @IsMoment()
  to?: string;
}

/** A part of a list of what lies in a stretch of time. */
export class RangePageQueryDto extends IntersectionType(RangeQueryDto, PageQueryDto) {}

/** A part of a list. */
export class PageDto {
  /** Pass it as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
}

/** How many rows to read: one more than a page has, which tells whether another page follows. */
export function rowsOf(limit: string | number = DEFAULT_LIMIT): number {
  return Number(limit) + 1;
}

/** What to show of the rows read, and the cursor of the next page. */
export function pageOf<R>(
  found: R[],
  limit: string | number = DEFAULT_LIMIT,
  cursorOf: (last: R) => string,
): { rows: R[]; nextCursor: string | null } {
  const rows = found.slice(0, Number(limit));
  const last = rows.at(-1);
  return { rows, nextCursor: last && found.length > rows.length ? cursorOf(last) : null };
}
