import { Body, Controller, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { answerStarted } from '../../payments/api/payment-answer.js';
import { PaymentDto } from '../../payments/views/payment.dto.js';
import { startRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/starts-payment.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { CurrentCaller, type Caller, type RequestWithCaller } from '../../sessions/caller.js';
import { CardsService } from './cards.service.js';
import { PayCardDto } from './pay-card.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/card')
export class CardsController {
  constructor(
    private readonly service: CardsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Pays the session by card. */
  @Post()
  @StartsPayment()
  async pay(
    @Body() dto: PayCardDto,
    @Req() request: RequestWithCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const outcome = await this.service.pay(dto, startRequest(request, caller, '/v1/payments/card'));
    return answerStarted(outcome, reply, this.config.gateway.mode === 'live');
  }
}
