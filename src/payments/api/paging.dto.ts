import { IsOptional, IsString, Matches } from 'class-validator';
import { IsIntegerText } from '../../http/validation/validators.js';

const DEFAULT_LIMIT = 50;

/** Which part of a list to answer with. */
export class PageQueryDto {
  /** 1 to 100, 50 by default. */
  @IsOptional()
  @IsIntegerText(1, 100)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IsOptional()
  @IsString()
  @Matches(/^[\w-]{1,120}$/, { message: '$property must be a nextCursor of this list' })
  cursor?: string;
}

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
