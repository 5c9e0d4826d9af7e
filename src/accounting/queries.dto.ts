import { IntersectionType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsMoment } from '../http/validation/validators.js';
import { PageQueryDto } from '../payments/api/paging.dto.js';

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

/** RFC 3339, UTC. */
export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
