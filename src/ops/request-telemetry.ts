import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpEdge } from '../http/server.js';
import type { Telemetry } from '../telemetry/telemetry.module.js';

/** One log line and one count a request, by its route's template: addresses hold tokens and ids. */
export function observeRequests(edge: HttpEdge, { logger, metrics }: Telemetry): void {
  edge
    .getInstance<FastifyInstance>()
    .addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      const route = request.routeOptions.url ?? 'none';
      const { statusCode: status, elapsedTime: ms } = reply;
      metrics.httpRequest(route, request.method, status, ms / 1000);
      logger.info({
        event: 'http.request',
        requestId: request.id,
        method: request.method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
      });
      done();
    });
}
