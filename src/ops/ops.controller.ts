import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../auth/access.guard.js';
import { EdgeRoute } from '../http/route.js';
import { Health, type Readiness } from './health.js';
import { MetricsPage } from './metrics-page.js';

/** Health, for balancers and orchestrators. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @EdgeRoute({ openAt: 'management' })
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('ready')
  @EdgeRoute({ openAt: 'management' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ready') reply.status(503);
    return readiness;
  }
}

/** Metrics on a port that payers cannot reach, or without production's rules. */
@ApiExcludeController()
@Controller('metrics')
export class OpenMetricsController {
  constructor(private readonly metrics: MetricsPage) {}

  @Get()
  @EdgeRoute({ openAt: 'management' })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', this.metrics.contentType).send(await this.metrics.text());
  }
}

/** Metrics under production's rules where no `MANAGEMENT_PORT` is set. */
@ApiExcludeController()
@Controller('metrics')
export class KeyedMetricsController {
  constructor(private readonly metrics: MetricsPage) {}

  @Get()
  @Access('full', 'read')
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', this.metrics.contentType).send(await this.metrics.text());
  }
}
