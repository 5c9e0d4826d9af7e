import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.guard.js';
import { CONFIG, type Config } from '../../config/config.js';
import { pageOf, rowsOf } from '../../payments/api/paging.dto.js';
import { placeAt, timeRangeOf } from '../../payments/api/payment-lists.js';
import { cursorOf } from '../../payments/payments.repository.js';
import { MovementListDto, MovementsQueryDto, movementView } from './movements.dto.js';
import { MovementsRepository, type LedgerEntry } from './movements.repository.js';

/** Where only some are wanted, so many are read at once, and so often for one answer. */
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
    const { limit, cursor, settled, from, to, ...equal } = query;
    const filter = { ...equal, ...timeRangeOf({ from, to }, this.config.booksTimeZone) };
    const isWanted = (entry: LedgerEntry): boolean =>
      settled === undefined || (entry.settled !== null) === (settled === 'true');
    const place = placeAt(cursor);
    let after = place && { at: place.createdAt, id: place.id };
    const found: LedgerEntry[] = [];
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const page = await this.movements.list(filter, settled === undefined ? rowsOf(limit) : AT_ONCE, after);
      found.push(...page.filter(isWanted));
      after = page.at(-1);
      if (found.length >= rowsOf(limit) || !after || settled === undefined || page.length < AT_ONCE) {
        const { rows, nextCursor } = pageOf(found, limit, cursorAt);
        return { data: rows.map(movementView), nextCursor };
      }
    }
    return { data: found.map(movementView), nextCursor: after ? cursorAt(after) : null };
  }
}

function cursorAt({ at, id }: { at: number; id: string }): string {
  return cursorOf({ createdAt: at, id });
}
