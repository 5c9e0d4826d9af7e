import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.guard.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { validationFailed } from '../../http/problems/problem.js';
import { timeRangeOf } from '../../payments/api/payment-lists.js';
import { cursorOf, placeOf } from '../../payments/payments.repository.js';
import { MovementListDto, MovementsQueryDto, movementView } from './movements.dto.js';
import { MovementsRepository, type LedgerEntry } from './movements.repository.js';

const DEFAULT_LIMIT = 50;
/** So many are read at once where only some are wanted, and so often for one answer. */
const AT_ONCE = 500;
const MOST_READS = 20;

@ApiTags('accounting')
@Controller('v1/movements')
export class MovementsController {
  constructor(
    private readonly movements: MovementsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists money that moved, oldest first. With `settled`, a page can have fewer entries than its limit. */
  @Get()
  @Access('full', 'read', 'books')
  @ApiOkResponse({ type: MovementListDto })
  async list(@Query() query: MovementsQueryDto): Promise<MovementListDto> {
    const { limit: text, cursor, settled, from: _from, to: _to, ...equal } = query;
    const filter = { ...equal, ...timeRangeOf(query, this.config.booksTimeZone) };
    const limit = Number(text ?? DEFAULT_LIMIT);
    const reads = settled === undefined ? limit + 1 : AT_ONCE;
    const data: LedgerEntry[] = [];
    let after = cursor === undefined ? undefined : read(cursor);
    for (let count = 0; count < MOST_READS; count += 1) {
      const page = await this.movements.list(filter, reads, after);
      for (const entry of page) {
        if (data.length === limit)
          return { data: data.map(movementView), nextCursor: after ? place(after) : null };
        after = entry;
        if (settled === undefined || (entry.settled !== null) === (settled === 'true')) data.push(entry);
      }
      if (page.length < reads) return { data: data.map(movementView), nextCursor: null };
    }
    return { data: data.map(movementView), nextCursor: after ? place(after) : null };
  }
}

function place({ at, id }: { at: number; id: string }): string {
  return cursorOf({ createdAt: at, id });
}

function read(cursor: string): { at: number; id: string } {
  const found = placeOf(cursor);
  if (!found) throw validationFailed([{ pointer: '/cursor', message: 'must be a nextCursor of this list' }]);
  return { at: found.createdAt, id: found.id };
}
