import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { namedExamples } from '../openapi/named-examples.js';
import { timeRangeOf } from '../payments/api/payment-filter.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import { MovementList } from './movement-list.js';
import { MovementListDto, MOVEMENTS_EXAMPLE, MovementsQueryDto, viewMovement } from './movements.dto.js';
import { readPlace, writePlace } from './place-cursor.js';

const DEFAULT_LIMIT = 50;

@ApiTags('ledger')
@Controller('v1/movements')
@UseGuards(MerchantGuard)
export class MovementsController {
  constructor(
    private readonly list: MovementList,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The ledger: money that moved, by when it moved, the oldest first. */
  @Get()
  @ReadAccess()
  @ApiOkResponse({ type: MovementListDto, examples: namedExamples({ refunded: MOVEMENTS_EXAMPLE }) })
  async movements(@Query() query: MovementsQueryDto): Promise<MovementListDto> {
    const { booksTimeZone: zone } = this.config;
    const { kind, currency, reference, paymentId, settled, cursor } = query;
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const found = await this.list.page(
      {
        ...timeRangeOf(query, zone),
        ...{ kind, currency, reference, paymentId },
        settled: settled === undefined ? undefined : settled === 'true',
      },
      limit + 1,
      cursor === undefined ? undefined : readPlace(cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1)?.movement;
    return {
      data: page.map((one) => viewMovement(one, zone)),
      nextCursor: last && found.length > limit ? writePlace(last) : null,
    };
  }
}
