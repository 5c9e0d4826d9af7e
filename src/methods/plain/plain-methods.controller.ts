import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Answer } from '../../http/server/answer.js';
import { PaymentAnswers } from '../../payments/api/payment-answers.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import { transferMethod, walletMethod, ussdMethod } from '../plain-methods.js';
import { PayTransferDto, PayUssdDto, PayWalletDto } from './plain-methods.dto.js';
import { Access } from '../../auth/access.guard.js';

/** Payments by the methods that differ in their descriptors and bodies only. */
@ApiTags('browser')
@Controller('v1/payments')
export class PlainMethodsController {
  constructor(
    private readonly payments: PlainPayments,
    private readonly answers: PaymentAnswers,
  ) {}

  /** Pays the session with the partner wallet: the answer sends the payer to its cashier. */
  @Post('wallet')
  @Access('client')
  @ApiOperation({ operationId: 'wallets.pay' })
  @StartsPayment()
  async payByWallet(
    @Body() dto: PayWalletDto,
    @Starting() starting: ReadStartRequest,
  ): Promise<Answer<PaymentDto>> {
    return this.answers.sent(await this.payments.pay(walletMethod, dto, starting()));
  }

  /** Pays the session by bank transfer: the answer names the account to pay into. */
  @Post('transfer')
  @Access('client')
  @ApiOperation({ operationId: 'transfers.pay' })
  @StartsPayment()
  async payByTransfer(
    @Body() dto: PayTransferDto,
    @Starting() starting: ReadStartRequest,
  ): Promise<Answer<PaymentDto>> {
    return this.answers.sent(await this.payments.pay(transferMethod, dto, starting()));
  }

  /** Pays the session by USSD: the answer holds the code to dial. */
  @Post('ussd')
  @Access('client')
  @ApiOperation({ operationId: 'ussd.pay' })
  @StartsPayment()
  async payByUssd(
    @Body() dto: PayUssdDto,
    @Starting() starting: ReadStartRequest,
  ): Promise<Answer<PaymentDto>> {
    return this.answers.sent(await this.payments.pay(ussdMethod, dto, starting()));
  }
}
