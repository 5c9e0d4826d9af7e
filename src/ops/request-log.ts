import { SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../http/problem-reply.js';
import { actorOf, type RequestWithCaller } from '../auth/caller.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** The status in log and metrics for a caller that left before its answer. Web servers commonly use this number. */
const CALLER_GONE = 499;

/**
 * One log line, one observation and, if traces are on, one span for each request. They name the route's template, because
 * addresses hold tokens and ids. `isTrusted`: whose `traceparent` decides about our spans.
 */
export function logRequests(
  server: FastifyInstance,
  { logger, metrics, tracing }: Telemetry,
  isTrusted: (request: FastifyRequest) => boolean,
): void {
  const correlations = new WeakMap<FastifyRequest, object>();

  const note = (request: RequestWithCaller, reply: FastifyReply, status: number): void => {
    const { id: requestId, method, caller } = request;
    const route = routeOf(request);
    const { code, cause } = refusalOf(reply) ?? {};
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000);
    if (code === 'overloaded') metrics.overloaded.inc();
    logger.info({
      event: 'http.request',
      ...{ requestId, method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 },
      ...(code !== undefined && { code }),
      ...(cause !== undefined && { cause }),
      ...(caller && { actor: actorOf(caller) }),
      ...correlations.get(request),
    });
  };
  server.addHook('onResponse', (request, reply, done) => {
    note(request, reply, reply.statusCode);
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    const closed = new Promise<number>((resolve) => {
      reply.raw.once('close', () => {
        // The server reports no response if the caller did not wait for it.
        if (!reply.raw.writableFinished) note(request, reply, CALLER_GONE);
        resolve(reply.raw.writableFinished ? reply.statusCode : CALLER_GONE);
      });
    });
    if (!tracing.enabled) {
      done();
      return;
    }
    const { id, method } = request;
    const route = routeOf(request);
    const { traceparent } = request.headers;
    // A stranger must not turn our sampling on or off.
    const joined = typeof traceparent === 'string' && isTrusted(request) ? traceparent : undefined;
    void tracing.request(
      `${method} ${route}`,
      { 'http.request.method': method, 'http.route': route, 'tillfront.request_id': id },
      joined,
      async (span) => {
        correlations.set(request, tracing.correlation());
        done();
        const status = await closed;
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      },
    );
  });
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
