import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Connections } from '../http/server/connections.js';
import { createGuardedServer } from '../http/server/guarded-server.js';
import { Problem, problemDocument, problemInstance } from '../http/problems/problem.js';
import { PROBLEM_MEDIA_TYPE } from '../http/problems/problem-reply.js';
import { standardHeaders } from '../http/server/headers.js';
import { HTTP_LIMITS } from '../http/server/server.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Health } from './health.js';
import { MetricsPage } from './metrics-page.js';

/** Apart from those of callers, so that these cannot keep anybody from asking how the service is. */
const BOUNDS = { all: 256, perAddress: 0, exempt: true } as const;

const READING = ['GET', 'HEAD'];

/** Health and metrics on a separate port (`MANAGEMENT_PORT`) that payers cannot reach. */
@Injectable()
export class ManagementServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly health: Health,
    private readonly metrics: MetricsPage,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { managementPort, host, publicBaseUrl } = this.config.http;
    if (managementPort === undefined) return;
    const server = createGuardedServer(
      (request, response) => {
        this.answer(request, response).catch((error: unknown) => {
          this.logger.error({ event: 'management.failed', error });
          if (response.headersSent) response.destroy();
          else
            refuse(request, response, new Problem('internal-error', 'Something failed. It is in the log.'));
        });
      },
      {
        limits: HTTP_LIMITS,
        headers: standardHeaders(publicBaseUrl),
        connections: new Connections(BOUNDS, HTTP_LIMITS.readerPatienceMs),
      },
    );
    this.server = server;
    server.listen(managementPort, host);
    await once(server, 'listening');
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0];
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (path !== '/health/live' && path !== '/health/ready' && path !== '/metrics')
      refuse(request, response, new Problem('not-found', 'There is no such address.'));
    else if (!READING.includes(request.method ?? ''))
      refuse(request, response, new Problem('method-not-allowed', 'This is only read.', { allow: READING }));
    else if (path === '/health/live') send(response, 200, { status: 'live' });
    else if (path === '/health/ready') {
      const readiness = await this.health.readiness();
      send(response, readiness.status === 'ready' ? 200 : 503, readiness);
    } else {
      response.setHeader('Content-Type', this.metrics.contentType);
      response.end(await this.metrics.text());
    }
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const requestId = randomUUID();
  const { allow } = problem.extra;
  if (allow) response.setHeader('Allow', allow.join(', '));
  response.setHeader('X-Request-Id', requestId);
  const instance = problemInstance(request.url ?? '/');
  send(response, problem.status, problemDocument(problem, { instance, requestId }), PROBLEM_MEDIA_TYPE);
}

function send(response: ServerResponse, status: number, body: object, type = 'application/json'): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.end(JSON.stringify(body));
}
