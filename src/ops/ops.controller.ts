import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../auth/access.guard.js';
import { CONFIG, type Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { EdgeRoute } from '../http/route.js';
import { ReadinessDto } from './health.dto.js';
import { Health } from './health.js';
import { MetricsPage } from './metrics-page.js';

/** Health and metrics, on `MANAGEMENT_PORT` where it is set. */
@ApiTags('operations')
@Controller()
export class OpsController {
  constructor(
    private readonly health: Health,
    private readonly metrics: MetricsPage,
    private readonly guard: AccessGuard,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether the process runs. */
  @Get('health/live')
  @EdgeRoute({ openAt: 'management' })
  @ApiResponse({ status: 200 })
  live(): { status: string } {
    return { status: 'live' };
  }

  /** Whether a payment could be recorded now. */
  @Get('health/ready')
  @EdgeRoute({ openAt: 'management' })
  @ApiOkResponse({ type: ReadinessDto })
  @ApiResponse({ status: 503, type: ReadinessDto, description: 'No payment could be recorded now.' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto> {
    const readiness = await this.health.readiness();
    if (readiness.status !== 'ready') reply.status(503);
    return readiness;
  }

  /** Metrics in the Prometheus text format. */
  @Get('metrics')
  @EdgeRoute({ openAt: 'metrics' })
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200 })
  async scrape(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.assertMayScrape(request);
    await reply.header('content-type', this.metrics.contentType).send(await this.metrics.text());
  }

  /** Without a port of their own, metrics are for merchant and read keys under production's rules. */
  private assertMayScrape(request: FastifyRequest): void {
    if (this.config.http.managementPort !== undefined || !this.config.productionRules) return;
    const caller = this.guard.identify(request);
    if (caller.kind !== 'merchant' || caller.access === 'books')
      throw new Problem('forbidden', 'Metrics are for merchant and read keys.');
  }
}
