import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { OpenAt } from '../http/server/doors.js';
import { clientAddress } from '../http/request/client-address.js';
import { EdgeRoute } from '../http/request/edge-route.js';
import { NotificationsService } from './notifications.service.js';

/** Where the gateway sends its Transaction Notifications: any media type, with or without the secret in the address. */
@ApiExcludeController()
@OpenAt('payers')
@Controller('v1/gateway/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Post()
  @HttpCode(200)
  @EdgeRoute({ body: 'raw', anyOrigin: true, ownCredential: true })
  take(@Req() request: FastifyRequest): Promise<{ received: true }> {
    return this.accept(request, undefined);
  }

  @Post(':secret')
  @HttpCode(200)
  @EdgeRoute({ body: 'raw', anyOrigin: true, ownCredential: true })
  takeBySecretAddress(
    @Req() request: FastifyRequest,
    @Param('secret') secret: string,
  ): Promise<{ received: true }> {
    return this.accept(request, secret);
  }

  private async accept(request: FastifyRequest, pathSecret: string | undefined): Promise<{ received: true }> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const address = clientAddress(request);
    await this.notifications.take({ headers: request.headers, pathSecret, body, address });
    return { received: true };
  }
}
