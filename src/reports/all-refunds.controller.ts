import { Controller, Get, Inject, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { namedExamples } from '../openapi/named-examples.js';
import { timeRangeOf } from '../payments/api/payment-filter.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import { AllRefundsRepository } from './all-refunds.repository.js';
import { readPlace, writePlace } from './place-cursor.js';
import { AllRefundsDto, REFUNDS_EXAMPLE, RefundsQueryDto, viewAnyRefund } from './refunds.dto.js';

const DEFAULT_LIMIT = 50;

@ApiTags('refunds')
@Controller('v1/refunds')
@UseGuards(MerchantGuard)
export class AllRefundsController {
  constructor(
    private readonly repository: AllRefundsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The refunds of all payments, also those of the gateway's own dashboard, the newest first. */
  @Get()
  @ReadAccess()
  @ApiOkResponse({ type: AllRefundsDto, examples: namedExamples({ both: REFUNDS_EXAMPLE }) })
  async refunds(@Query() query: RefundsQueryDto): Promise<AllRefundsDto> {
    const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
    const { cursor, status } = query;
    const found = await this.repository.list(
      { ...timeRangeOf(query, this.config.booksTimeZone), status },
      limit + 1,
      cursor === undefined ? undefined : readPlace(cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      data: page.map(viewAnyRefund),
      nextCursor: last && found.length > limit ? writePlace(last) : null,
    };
  }
}
