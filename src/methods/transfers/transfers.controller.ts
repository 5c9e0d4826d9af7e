import { Body, Controller, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { transferMethod } from './transfer-method.js';
import { answerStarted } from '../../payments/api/payment-answer.js';
import { PaymentDto } from '../../payments/views/payment.dto.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import { startRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/starts-payment.js';
import { CurrentCaller, type Caller, type RequestWithCaller } from '../../sessions/caller.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { PayTransferDto } from './pay-transfer.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/transfer')
export class TransfersController {
  constructor(
    private readonly payments: PlainPayments,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Pays the session by bank transfer: the answer names the account to pay into. */
  @Post()
  @StartsPayment()
  async pay(
    @Body() dto: PayTransferDto,
    @Req() request: RequestWithCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentDto> {
    const outcome = await this.payments.pay(
      transferMethod,
      dto,
      startRequest(request, caller, '/v1/payments/transfer'),
    );
    return answerStarted(outcome, reply, this.config.gateway.mode === 'live');
  }
}
