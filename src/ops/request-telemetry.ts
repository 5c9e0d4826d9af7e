import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf, type Refusal } from '../http/problem-reply.js';
import { problemCodes } from '../http/problems/problem.js';
import type { HttpEdge } from '../http/server.js';
import { actorOf, type RequestWithCaller } from '../auth/caller.js';
import type { Telemetry } from '../telemetry/telemetry.module.js';
import type { Tracing } from '../telemetry/traces.js';

/** The status in log and metrics for a caller that left before its answer. Web servers commonly use this number. */
const CALLER_GONE = 499;

/**
 * One log line, one count and, if traces are on, one span for each request. They name the route's template, because
 * addresses hold tokens and ids.
 */
export function observeRequests(
  edge: HttpEdge,
  { logger, metrics, tracing }: Telemetry,
  /** Whose `traceparent` decides about our spans. */
  isTrusted: (request: FastifyRequest) => boolean,
): void {
  const server = edge.getInstance<FastifyInstance>();
  // Shown as 0 before they occur, as a rise from nothing is not seen.
  for (const code of problemCodes) metrics.refusals.inc({ code }, 0);
  const spans = new WeakMap<FastifyRequest, ReturnType<Tracing['correlation']>>();
  if (tracing.enabled) server.addHook('onRequest', spanForEach(tracing, spans, isTrusted));

  const note = (request: RequestWithCaller, status: number, ms: number, refusal?: Refusal): void => {
    const route = routeOf(request);
    const { method } = request;
    metrics.requests.inc({ route, method, status });
    metrics.requestDuration.observe({ route, method }, ms / 1000);
    if (refusal) metrics.refusals.inc({ code: refusal.code });
    if (refusal?.code === 'overloaded') metrics.shed.inc({ load: 'start' });
    logger.info({
      event: 'http.request',
      requestId: request.id,
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(refusal && { code: refusal.code }),
      ...(refusal?.cause !== undefined && { cause: refusal.cause }),
      ...(request.caller && { actor: actorOf(request.caller) }),
      ...spans.get(request),
    });
  };
  server.addHook('onResponse', (request, reply, done) => {
    note(request, reply.statusCode, reply.elapsedTime, refusalOf(reply));
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      // The server reports no response if the caller did not wait for it.
      if (!reply.raw.writableFinished) note(request, CALLER_GONE, reply.elapsedTime);
    });
    done();
  });
}

/** Runs the rest of each request in a span that ends when its response is finished or its connection is closed. */
function spanForEach(
  tracing: Tracing,
  spans: WeakMap<FastifyRequest, ReturnType<Tracing['correlation']>>,
  isTrusted: (request: FastifyRequest) => boolean,
): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  return (request, reply, done) => {
    const route = routeOf(request);
    const { traceparent: given } = request.headers;
    const traceparent = typeof given === 'string' ? given : undefined;
    void tracing.span(
      `${request.method} ${route}`,
      { 'http.request.method': request.method, 'http.route': route, 'tillfront.request_id': request.id },
      (span) => {
        spans.set(request, tracing.correlation());
        const closed = new Promise<void>((resolve) => {
          reply.raw.once('close', () => {
            const status = reply.raw.writableFinished ? reply.statusCode : CALLER_GONE;
            span.set({ 'http.response.status_code': status });
            if (status >= 500) span.fail();
            resolve();
          });
        });
        done();
        return closed;
      },
      { role: 'server', traceparent, trusted: traceparent !== undefined && isTrusted(request) },
    );
  };
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
