import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OpenAt } from '../http/server/doors.js';
import { EdgeRoute } from '../http/request/edge-route.js';
import { Metrics } from '../telemetry/metrics.js';
import { Health, type Readiness } from './health.js';

/** Health and metrics on the service's own port, where no management port is set. */
@ApiExcludeController()
@OpenAt('both')
@Controller()
export class OpsController {
  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
  ) {}

  @Get('health/live')
  @EdgeRoute({ whileShuttingDown: true, ownCredential: true })
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('health/ready')
  @EdgeRoute({ whileShuttingDown: true, ownCredential: true })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ready') reply.status(503);
    return readiness;
  }

  @Get('metrics')
  @EdgeRoute({ whileShuttingDown: true, ownCredential: true })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', this.metrics.contentType).send(await this.metrics.render());
  }
}
