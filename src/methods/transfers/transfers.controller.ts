import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { transferMethod } from './transfer-method.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import type { Outcome } from '../../payments/operations/outcome.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { PayTransferDto } from './pay-transfer.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/transfer')
export class TransfersController {
  constructor(private readonly payments: PlainPayments) {}

  /** Pays the session by bank transfer: the answer names the account to pay into. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayTransferDto, @Starting() starting: ReadStartRequest): Promise<Outcome> {
    return this.payments.pay(transferMethod, dto, starting());
  }
}
