import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { walletMethod } from './wallet-method.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { PaymentAnswers } from '../../payments/api/payment-answers.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { PayWalletDto } from './pay-wallet.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/wallet')
export class WalletsController {
  constructor(
    private readonly payments: PlainPayments,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Pays the session with the partner wallet: the answer sends the payer to its cashier. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayWalletDto, @Starting() starting: ReadStartRequest): Promise<Answer<PaymentDto>> {
    return this.answers.sent(await this.payments.pay(walletMethod, dto, starting()));
  }
}
