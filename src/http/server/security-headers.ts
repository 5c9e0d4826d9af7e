import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

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
