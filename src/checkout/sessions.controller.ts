import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/audited.js';
import { Access } from '../auth/access.guard.js';
import { clientSession, CurrentCaller, type Caller } from '../auth/caller.js';
import type { Answer } from '../http/server/answer.js';
import { EmptyDto } from '../payments/api/requests.dto.js';
import { Acts, Calling, Idempotent, type ObjectCall } from '../payments/api/payment-calls.js';
import { CheckoutService } from './checkout.service.js';
import { CreateSessionDto } from './create-session.dto.js';
import { BrowserSessionDto, MerchantSessionDto, SessionListDto, SessionQueryDto } from './sessions.dto.js';

@ApiTags('sessions')
@Controller('v1')
export class SessionsController {
  constructor(private readonly checkout: CheckoutService) {}

  /** Creates a checkout session: what a payer owes. Its client token goes to the browser. */
  @Post('checkout-sessions')
  @Access('full')
  @Audited('create-session')
  @Idempotent()
  @ApiCreatedResponse({ type: MerchantSessionDto })
  @ApiOkResponse({ type: MerchantSessionDto, description: 'A replay: the session as it now is.' })
  create(
    @Body() dto: CreateSessionDto,
    @Calling() { keyed }: ObjectCall,
  ): Promise<Answer<MerchantSessionDto>> {
    return this.checkout.create(dto, keyed());
  }

  /** The sessions of a reference, oldest first. */
  @Get('checkout-sessions')
  @Access('full', 'read')
  @ApiOkResponse({ type: SessionListDto })
  async list(@Query() { reference }: SessionQueryDto): Promise<SessionListDto> {
    return { data: await this.checkout.ofReference(reference) };
  }

  /** One session. */
  @Get('checkout-sessions/:id')
  @Access('full', 'read')
  @ApiOkResponse({ type: MerchantSessionDto })
  find(@Param('id') id: string): Promise<MerchantSessionDto> {
    return this.checkout.forMerchant(id);
  }

  /** Closes an open session: nothing can be paid after that. */
  @Acts('checkout-sessions/:id/close', MerchantSessionDto)
  @Idempotent()
  close(@Body() _: EmptyDto, @Calling() { id, keyed }: ObjectCall): Promise<Answer<MerchantSessionDto>> {
    return this.checkout.close(id, keyed());
  }

  /** Erases payer, billing, values of metadata, reasons and notes. Amounts, references and the timeline stay. */
  @Acts('checkout-sessions/:id/redact', MerchantSessionDto)
  @Idempotent()
  redact(@Body() _: EmptyDto, @Calling() { id, keyed }: ObjectCall): Promise<Answer<MerchantSessionDto>> {
    return this.checkout.redact(id, keyed());
  }

  /** The session of the client token that the call carries, as its browser may see it. */
  @Get('checkout-session')
  @Access('client')
  @ApiTags('browser')
  @ApiOkResponse({ type: BrowserSessionDto })
  ofToken(@CurrentCaller() caller: Caller): Promise<BrowserSessionDto> {
    return this.checkout.forBrowser(clientSession(caller));
  }
}
