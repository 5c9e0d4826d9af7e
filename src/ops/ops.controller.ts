import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../http/problems/problem.js';
import { OpenAt } from '../http/server/listeners.js';
import { EdgeRoute } from '../http/request/edge-route.js';
import { bearerOf } from '../http/request/request.js';
import { Authenticator } from '../sessions/authenticator.js';
import { Health, type Readiness } from './health.js';
import { MetricsPage } from './metrics-page.js';

/** Health on the service's own port, where no management port is set. */
@ApiExcludeController()
@OpenAt('both')
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

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
}

/** Metrics on the service's own port, where no management port is set and production's rules do not apply. */
@ApiExcludeController()
@OpenAt('both')
@Controller()
export class OpenMetricsController {
  constructor(private readonly metrics: MetricsPage) {}

  @Get('metrics')
  @EdgeRoute({ whileShuttingDown: true, ownCredential: true })
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', this.metrics.contentType).send(await this.metrics.text());
  }
}

/**
 * The same under production's rules: at the merchant's listener, to a merchant's key. Nobody else learns that it is there. A wrong key is counted
 * as anywhere else.
 */
@ApiExcludeController()
@OpenAt('merchant')
@Controller()
export class KeyedMetricsController {
  constructor(
    private readonly metrics: MetricsPage,
    private readonly authenticator: Authenticator,
  ) {}

  @Get('metrics')
  @EdgeRoute({ whileShuttingDown: true })
  async scrape(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!(await this.isMerchants(request))) {
      throw new Problem('not-found', 'There is nothing at this address.');
    }
    await reply.header('Content-Type', this.metrics.contentType).send(await this.metrics.text());
  }

  private async isMerchants(request: FastifyRequest): Promise<boolean> {
    if (bearerOf(request.headers.authorization) === undefined) return false;
    try {
      const caller = await this.authenticator.identify(request);
      return caller.kind === 'merchant' && caller.access !== 'books';
    } catch (error) {
      // Also where the address has shown too many wrong keys: a 429 would tell that there is something.
      if (error instanceof Problem) return false;
      throw error;
    }
  }
}
