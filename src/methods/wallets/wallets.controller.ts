import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { walletMethod } from './wallet-method.js';
import { PlainPayments } from '../../payments/api/plain-payments.js';
import type { Outcome } from '../../payments/operations/outcome.js';
import { Starting, type ReadStartRequest } from '../../payments/operations/start-request.js';
import { StartsPayment } from '../../payments/api/payment-calls.js';
import { ClientGuard } from '../../sessions/client.guard.js';
import { PayWalletDto } from './pay-wallet.dto.js';

@ApiTags('browser')
@UseGuards(ClientGuard)
@Controller('v1/payments/wallet')
export class WalletsController {
  constructor(private readonly payments: PlainPayments) {}

  /** Pays the session with the partner wallet: the answer sends the payer to its cashier. */
  @Post()
  @StartsPayment()
  async pay(@Body() dto: PayWalletDto, @Starting() starting: ReadStartRequest): Promise<Outcome> {
    return this.payments.pay(walletMethod, dto, starting());
  }
}
