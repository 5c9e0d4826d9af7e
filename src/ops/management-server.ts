import { createServer, type Server, type ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { Health } from './health.js';

/** Health and metrics on a separate port (`MANAGEMENT_PORT`) that payers cannot reach. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly health: Health,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { managementPort, host } = this.config.http;
    if (managementPort === undefined) return;
    const server = createServer((request, response) => {
      void this.answer(request.method ?? 'GET', request.url ?? '/', response);
    });
    server.requestTimeout = 15_000;
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(managementPort, host, resolve);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async answer(method: string, url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?', 1)[0];
    const known = method === 'GET' || method === 'HEAD';
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (known && path === '/health/live') send(response, 200, { status: 'live' });
    else if (known && path === '/health/ready') {
      const readiness = await this.health.readiness();
      send(response, readiness.status === 'ready' ? 200 : 503, readiness);
    } else if (known && path === '/metrics') {
      response.setHeader('Content-Type', this.metrics.contentType);
      response.end(await this.metrics.render());
    } else send(response, 404, { status: 'not-found' });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}
