import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';

const ALLOWED_METHODS = 'GET, HEAD, POST';

const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent';

/** `Date` is exposed because the payer's clock may be wrong, and an encrypted card carries the time of its encryption. */
const EXPOSED_HEADERS = 'Date, Idempotency-Replayed, Retry-After, X-Request-Id';

/** Seconds. Browsers keep a preflight's answer for at most two hours. */
const PREFLIGHT_MAX_AGE = '7200';

/**
 * Decides which browser origins may call. A request that names its origin is answered only if exactly that origin is
 * allowed; `null` never is. This holds for every method and address except routes with `anyOrigin`: a payer comes back from
 * the bank's origin, and gateways may send any header. Those routes grant nothing either, so no script can read their
 * answers. `isOwnOrigin` says whether a page comes from the same door that is called. Credentials mode is never granted,
 * because the API uses no cookies.
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
