import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ussdMethod } from './ussd-method.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import type { Outcome } from '../../payments/operations/outcome.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { PayUssdDto } from './pay-ussd.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/ussd')
export class UssdController {
  constructor(private readonly payments: PlainPayments) {}

  /** Pays the session by USSD: the answer holds the code to dial. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayUssdDto, @Starting() starting: ReadStartRequest): Promise<Outcome> {
    return this.payments.pay(ussdMethod, dto, starting());
  }
}
