import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { PaymentSearch } from '../search/payment-search.js';
import { PaymentListDto, PaymentSearchDto } from '../views/payment.dto.js';
import { viewPayment } from '../views/payment-view.js';
import { readCursor, writeCursor } from './payment-filter.js';
import { Access } from '../../auth/access.guard.js';

const DEFAULT_LIMIT = 50;

@ApiTags('payments')
@Controller('v1/payments/search')
export class PaymentSearchController {
  constructor(
    private readonly payments: PaymentSearch,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Finds payments by what a person knows of one, the newest first. Payer data is found until it is redacted.
   */
  @Post()
  @Access('full', 'read')
  @HttpCode(200)
  @ApiOkResponse({ type: PaymentListDto })
  async search(@Body() { query, limit = DEFAULT_LIMIT, cursor }: PaymentSearchDto): Promise<PaymentListDto> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const found = await this.payments.find(query, { limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const livemode = this.config.gateway.mode === 'live';
    return {
      data: page.map((payment) => viewPayment(payment, livemode)),
      nextCursor: last && found.length > limit ? writeCursor(last) : null,
    };
  }
}
