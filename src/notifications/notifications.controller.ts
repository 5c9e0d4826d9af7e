import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROFILE } from '../gateway/gateway.module.js';
import { notificationAnswer } from '../gateway/notifications/notification-profile.js';
import type { Profile } from '../gateway/profile/format.js';
import { clientAddress } from '../http/address.js';
import { EdgeRoute } from '../http/route.js';
import { Problem } from '../http/problems/problem.js';
import { NotificationsService } from './notifications.service.js';

/**
 * Where the gateway sends its Transaction Notifications: any media type, with or without the secret in the address, by POST or
 * GET.
 */
@ApiExcludeController()
@Controller('v1/gateway/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Post()
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.accept(request, reply, undefined);
  }

  @Post(':secret')
  @EdgeRoute({ openAt: 'payers', body: 'raw' })
  takeBySecretAddress(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    return this.accept(request, reply, secret);
  }

  @Get()
  @EdgeRoute({ openAt: 'payers' })
  takeQuery(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.accept(request, reply, undefined);
  }

  @Get(':secret')
  @EdgeRoute({ openAt: 'payers' })
  takeQueryBySecretAddress(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('secret') secret: string,
  ): Promise<void> {
    return this.accept(request, reply, secret);
  }

  private async accept(
    request: FastifyRequest,
    reply: FastifyReply,
    pathSecret: string | undefined,
  ): Promise<void> {
    const { notification } = this.profile;
    const body = contentOf(request);
    await this.notifications.take({
      ...{ headers: request.headers, pathSecret, body },
      address: clientAddress(request),
    });
    const answer = notificationAnswer(notification, body);
    const sent = answer?.body ?? { received: true };
    await reply
      .status(answer?.status ?? 200)
      .type(typeof sent === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
      .send(typeof sent === 'string' ? sent : JSON.stringify(sent));
  }
}

/** What came: the body, or the query of a GET, which reads like a form. */
function contentOf(request: FastifyRequest): Buffer {
  if (request.method === 'GET') {
    const at = request.url.indexOf('?');
    return Buffer.from(at < 0 ? '' : request.url.slice(at + 1));
  }
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
