import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';

const ALLOWED_METHODS = 'GET, HEAD, POST';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent';

/** `Date` because a payer's clock may be wrong, and an encrypted card says when it was encrypted. */
const EXPOSED_HEADERS = 'Date, Idempotency-Replayed, Retry-After, X-Request-Id';

/** Seconds. The longest that any browser keeps a preflight's answer is two hours. */
const PREFLIGHT_MAX_AGE = '7200';

/**
 * Who may call from a browser. A request that names its origin gets an answer only where exactly that origin is allowed;
 * `null` never is. This holds for every method and address, but for routes that say `anyOrigin`: a payer comes back from
 * the bank's origin, and gateways may send any header. Those get no grant either, so no script can read their answer.
 * `isOwnOrigin` says where a page comes from the very door that is called.
 * Credentials mode is never granted: the API knows no cookies.
 */
export function originCheck(
  publicBaseUrl: string,
  allowedOrigins: readonly string[],
  isOwnOrigin: (request: FastifyRequest) => boolean = () => false,
): (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void {
  const allowed = new Set([...allowedOrigins, new URL(publicBaseUrl).origin]);
  return (request, reply, done) => {
    const origin = request.headers.origin;
    if (origin === undefined) {
      done();
    } else if (!allowed.has(origin) && !isOwnOrigin(request)) {
      if (edgeRule(request).anyOrigin === true) done();
      else done(new Problem('origin-not-allowed', 'Calls from this browser origin are not allowed.'));
    } else {
      reply.header('access-control-allow-origin', origin);
      if (isPreflight(request)) {
        reply
          .header('access-control-allow-methods', ALLOWED_METHODS)
          .header('access-control-allow-headers', ALLOWED_HEADERS)
          .header('access-control-max-age', PREFLIGHT_MAX_AGE)
          .header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
          .code(204)
          .send();
      } else {
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
        done();
      }
    }
  };
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}
