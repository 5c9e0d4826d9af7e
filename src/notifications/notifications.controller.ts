import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EdgeRoute } from '../http/route.js';
import { NotificationsService } from './notifications.service.js';

/** Where the gateway sends its notifications, of any media type, with or without the secret in the address. */
@ApiTags('gateway')
@Controller('v1/gateway/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  /** Takes a notification of the gateway. */
  @Post()
  @HttpCode(200)
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  @ApiResponse({ status: 200, description: 'What it names will be asked about at once.' })
  take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.accept(request, reply);
  }

  /** The same at an address that holds the secret. */
  @Post(':secret')
  @HttpCode(200)
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  @ApiResponse({ status: 200, description: 'What it names will be asked about at once.' })
  takeBySecret(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    return this.accept(request, reply, secret);
  }

  /** Takes a notification whose content is the query. */
  @Get()
  @EdgeRoute({ openAt: 'payers' })
  @ApiResponse({ status: 200, description: 'What it names will be asked about at once.' })
  takeQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.accept(request, reply);
  }

  /** The same at an address that holds the secret. */
  @Get(':secret')
  @EdgeRoute({ openAt: 'payers' })
  @ApiResponse({ status: 200, description: 'What it names will be asked about at once.' })
  takeQueryBySecret(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    return this.accept(request, reply, secret);
  }

  private async accept(request: FastifyRequest, reply: FastifyReply, secret?: string): Promise<void> {
    const { status, body = { received: true } } = await this.notifications.take(request, secret);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    await reply.status(status).type(`${type}; charset=utf-8`).send(text);
  }
}
