import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** For answers that are no page: nothing in them may run, load or be framed. */
const API_CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** A year, as browsers' preload lists ask for. Subdomains are the merchant's own business. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * The headers of every answer, by lower-case name. A handler that sets one of them, as the pages do, overrides it.
 * `Vary: Origin` stands on answers without an `Origin` too, so that no cache hands one caller's grant to another.
 */
export function standardHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': API_CONTENT_SECURITY_POLICY,
    // The kit and calls from allowed origins say otherwise, or are no plain loads.
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

/** Sets the headers before anything else happens, so that refusals carry them too. */
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
