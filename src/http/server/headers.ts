import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';

/** For answers that are not pages. Nothing in them may run, load or be framed. */
const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** One year, as browsers' preload lists require. Subdomains are left to the merchant. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * The headers of every answer, by lower-case name. A handler that sets one of them, as the pages do, overrides it. Answers
 * without an `Origin` get `Vary: Origin` too, so that no cache gives one caller's grant to another.
 */
export function standardHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': API_CONTENT_SECURITY_POLICY,
    // The kit and calls from allowed origins override this, or are not plain loads.
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    ...(publicBaseUrl.startsWith('https://')
      ? { 'strict-transport-security': STRICT_TRANSPORT_SECURITY }
      : {}),
  };
}

/** Sets the headers before anything else happens, so that refusals have them too. */
export function securityHeaders(
  headers: Readonly<Record<string, string>>,
): (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void {
  const entries = Object.entries(headers);
  return (request, reply, done) => {
    for (const [name, value] of entries) reply.header(name, value);
    reply.header('x-request-id', request.id);
    done();
  };
}

/**
 * Headers that say who asks, for what, from where, and how to read the body. If such a header stands twice, some proxies
 * and servers take the first and some the last (Node drops or joins them), so each could read a different request.
 */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'origin',
  'content-type',
  'content-length',
  'transfer-encoding',
  'x-notification-secret',
]);

const LENGTHS: ReadonlySet<number> = new Set([...ONCE].map((name) => name.length));

/** The name of a header that may stand only once but stands twice. Undefined where there is none. */
export function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    // Most names differ from these in length alone, which is quick to check.
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

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
 * answers. `isOwnOrigin` says whether a page comes from the same listener that is called. Credentials mode is never granted,
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
