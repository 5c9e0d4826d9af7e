import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Outcome } from '../../payments/operations/outcome.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { CardsService } from './cards.service.js';
import { PayCardDto } from './pay-card.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/card')
export class CardsController {
  constructor(private readonly service: CardsService) {}

  /** Pays the session by card. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayCardDto, @Starting() starting: ReadStartRequest): Promise<Outcome> {
    return this.service.pay(dto, starting());
  }
}
