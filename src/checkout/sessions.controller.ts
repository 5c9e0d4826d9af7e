import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiIdempotent } from '../openapi/api-idempotent.js';
import { idempotencyKey } from '../idempotency/idempotency-key.js';
import { EmptyDto } from '../payments/views/payment.dto.js';
import { MerchantGuard, ReadAccess } from '../sessions/merchant.guard.js';
import type { MadeSession } from '../sessions/sessions.service.js';
import { CheckoutService } from './checkout.service.js';
import { CreateSessionDto } from './create-session.dto.js';
import { MerchantSessionDto, SessionListDto, SessionQueryDto } from './sessions.dto.js';

const PATH = '/v1/checkout-sessions';

@ApiTags('merchant')
@UseGuards(MerchantGuard)
@Controller('v1/checkout-sessions')
export class SessionsController {
  constructor(private readonly checkout: CheckoutService) {}

  /** Makes a checkout session: what a payer owes. Its client token goes to the browser. */
  @Post()
  @ApiIdempotent()
  @ApiCreatedResponse({ type: MerchantSessionDto })
  @ApiOkResponse({ type: MerchantSessionDto, description: 'A replay: the session as it now stands.' })
  async create(
    @Body() dto: CreateSessionDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantSessionDto> {
    const made = await this.checkout.create(dto, idempotencyKey(request), PATH);
    if (!made.replayed) reply.status(201);
    return this.answer(made, reply, true);
  }

  /** The sessions of a reference. */
  @Get()
  @ReadAccess()
  @ApiOkResponse({ type: SessionListDto })
  async list(@Query() query: SessionQueryDto): Promise<SessionListDto> {
    const sessions = await this.checkout.ofReference(query.reference);
    return { data: await Promise.all(sessions.map((session) => this.checkout.viewForMerchant(session))) };
  }

  /** One session. */
  @Get(':id')
  @ReadAccess()
  @ApiOkResponse({ type: MerchantSessionDto })
  async find(@Param('id') id: string): Promise<MerchantSessionDto> {
    return this.checkout.viewForMerchant(await this.checkout.find(id));
  }

  /** Closes an open session: nothing can be paid any more. */
  @Post(':id/close')
  @HttpCode(200)
  @ApiIdempotent()
  @ApiOkResponse({ type: MerchantSessionDto })
  async close(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantSessionDto> {
    return this.answer(await this.checkout.close(id, idempotencyKey(request), `${PATH}/${id}/close`), reply);
  }

  /** Erases the payer's data now. Amounts, references and timelines stay. */
  @Post(':id/redact')
  @HttpCode(200)
  @ApiIdempotent()
  @ApiOkResponse({ type: MerchantSessionDto })
  async redact(
    @Param('id') id: string,
    @Body() _: EmptyDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MerchantSessionDto> {
    return this.answer(
      await this.checkout.redact(id, idempotencyKey(request), `${PATH}/${id}/redact`),
      reply,
    );
  }

  private answer(made: MadeSession, reply: FastifyReply, withToken = false): Promise<MerchantSessionDto> {
    if (made.replayed) reply.status(200).header('Idempotency-Replayed', 'true');
    return this.checkout.viewForMerchant(made.session, withToken);
  }
}
