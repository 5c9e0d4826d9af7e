import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../auth/access.guard.js';
import { clientSession, CurrentCaller, type Caller } from '../auth/caller.js';
import type { Answer } from '../http/server/answer.js';
import { startAnswer } from '../payments/api/answers.js';
import { LimitsPayers } from '../payments/api/payment-calls.js';
import { PaymentDto } from '../payments/core/payment.dto.js';
import { PaymentsService } from '../payments/payments.service.js';
import { OpenSessions } from '../sessions/open-sessions.js';
import { PayDto, PayUssdDto, UssdBanksDto } from './plain-methods.dto.js';
import { StartsPayment } from './starts-payment.js';
import { Starter, Starting, type ReadStartCall, type Start } from './start.js';
import { UssdBanks } from './ussd-banks.js';

/** Payments whose first call carries no secret. */
@ApiTags('browser')
@Controller('v1')
export class PlainMethodsController {
  constructor(
    private readonly starter: Starter,
    private readonly payments: PaymentsService,
    private readonly banks: UssdBanks,
    private readonly sessions: OpenSessions,
  ) {}

  /** Pays the session with the partner wallet: the answer sends the payer to its cashier. */
  @Post('payments/wallet')
  @StartsPayment()
  payByWallet(@Body() dto: PayDto, @Starting() starting: ReadStartCall): Promise<Answer<PaymentDto>> {
    return this.start('wallet', dto, starting);
  }

  /** Pays the session by bank transfer: the answer names the account to pay into. */
  @Post('payments/transfer')
  @StartsPayment()
  payByTransfer(@Body() dto: PayDto, @Starting() starting: ReadStartCall): Promise<Answer<PaymentDto>> {
    return this.start('transfer', dto, starting);
  }

  /** Pays the session by USSD: the answer holds the code to dial. */
  @Post('payments/ussd')
  @StartsPayment()
  payByUssd(@Body() dto: PayUssdDto, @Starting() starting: ReadStartCall): Promise<Answer<PaymentDto>> {
    return this.start('ussd', dto, starting, { bankCode: dto.bankCode });
  }

  /** The banks whose customers can pay by USSD. */
  @Get('ussd/banks')
  @Access('client')
  @LimitsPayers()
  @ApiOkResponse({ type: UssdBanksDto })
  async list(@CurrentCaller() caller: Caller): Promise<UssdBanksDto> {
    await this.sessions.ofToken(clientSession(caller));
    const banks = await this.banks.list();
    return { banks: banks.map(({ code, name }) => ({ code, name })) };
  }

  private async start(
    method: Start['method'],
    dto: PayDto,
    starting: ReadStartCall,
    details: Start['details'] = {},
  ): Promise<Answer<PaymentDto>> {
    const start: Start = { method, given: dto, details, card: null, content: dto };
    return startAnswer(await this.starter.start(starting(), start), this.payments.livemode);
  }
}
