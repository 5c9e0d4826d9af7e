import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EdgeRoute } from '../http/route.js';
import { Idempotent, keyedAnswer } from '../idempotency/idempotent.js';
import type { Answer } from '../http/server/answer.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { Audited } from '../audit/audited.js';
import { Keyed, type ReadKeyedCall } from '../auth/keyed-call.js';
import type { MadeSession } from '../sessions/sessions.service.js';
import { CheckoutService } from './checkout.service.js';
import { CreateSessionDto } from './create-session.dto.js';
import { MerchantSessionDto, SessionListDto, SessionQueryDto, BrowserSessionDto } from './sessions.dto.js';
import { CurrentCaller, clientSession, merchantOf, type Caller } from '../auth/caller.js';
import { maskedView } from '../sessions/session-view.js';
import type { SessionRecord } from '../store/schema.js';
import { Access } from '../auth/access.guard.js';

@ApiTags('sessions')
@Controller('v1/checkout-sessions')
export class SessionsController {
  constructor(private readonly checkout: CheckoutService) {}

  /** Creates a checkout session: what a payer owes. Its client token goes to the browser. */
  @Post()
  @Access('full')
  @EdgeRoute({ load: 'start' })
  @Audited('create')
  @Idempotent()
  @ApiCreatedResponse({ type: MerchantSessionDto })
  @ApiOkResponse({ type: MerchantSessionDto, description: 'A replay: the session in its current state.' })
  async create(
    @Body() dto: CreateSessionDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<MerchantSessionDto>> {
    return this.answer(await this.checkout.create(dto, keyed(dto)), true);
  }

  /** The sessions of a reference. */
  @Get()
  @Access('full', 'read')
  @ApiOkResponse({ type: SessionListDto })
  async list(@Query() query: SessionQueryDto, @CurrentCaller() caller: Caller): Promise<SessionListDto> {
    const sessions = await this.checkout.ofReference(query.reference);
    return { data: await Promise.all(sessions.map((session) => this.shown(session, caller))) };
  }

  /** One session. */
  @Get(':id')
  @Access('full', 'read')
  @ApiOkResponse({ type: MerchantSessionDto })
  async find(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<MerchantSessionDto> {
    return this.shown(await this.checkout.find(id), caller);
  }

  /** Closes an open session: nothing can be paid after that. */
  @Post(':id/close')
  @Access('full')
  @HttpCode(200)
  @Audited('close')
  @Idempotent()
  @ApiOkResponse({ type: MerchantSessionDto })
  async close(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<MerchantSessionDto>> {
    return this.answer(await this.checkout.close(id, keyed(dto)));
  }

  /** Erases the payer's data now, and what people typed: values of `metadata`, reasons of refunds, notes. Amounts, references and timelines stay. */
  @Post(':id/redact')
  @Access('full')
  @HttpCode(200)
  @Audited('redact')
  @Idempotent()
  @ApiOkResponse({ type: MerchantSessionDto })
  async redact(
    @Param('id') id: string,
    @Body() dto: EmptyDto,
    @Keyed() keyed: ReadKeyedCall,
  ): Promise<Answer<MerchantSessionDto>> {
    return this.answer(await this.checkout.redact(id, keyed(dto)));
  }

  private async shown(session: SessionRecord, caller: Caller): Promise<MerchantSessionDto> {
    const view = await this.checkout.viewForMerchant(session);
    return merchantOf(caller).access === 'books' ? maskedView(view) : view;
  }

  private async answer(
    { session, replayed }: MadeSession,
    withToken = false,
  ): Promise<Answer<MerchantSessionDto>> {
    return keyedAnswer(await this.checkout.viewForMerchant(session, withToken), replayed);
  }
}

@ApiTags('browser')
@Controller('v1/checkout-session')
export class BrowserSessionController {
  constructor(private readonly checkout: CheckoutService) {}

  /** The session of this client token, with its payments. */
  @Get()
  @Access('client')
  @ApiOkResponse({ type: BrowserSessionDto })
  async find(@CurrentCaller() caller: Caller): Promise<BrowserSessionDto> {
    return this.checkout.viewForBrowser(await this.checkout.findForBrowser(clientSession(caller)));
  }
}
