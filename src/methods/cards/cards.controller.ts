import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { PaymentAnswers } from '../../payments/api/payment-answers.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { CardsService } from './cards.service.js';
import { PayCardDto } from './pay-card.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/card')
export class CardsController {
  constructor(
    private readonly service: CardsService,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Pays the session by card. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayCardDto, @Starting() starting: ReadStartRequest): Promise<Answer<PaymentDto>> {
    return this.answers.sent(await this.service.pay(dto, starting()));
  }
}
