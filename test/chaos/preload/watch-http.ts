import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse, type IncomingMessage } from 'node:http';

type Pass = (boundary: string) => void;

/** Tells when bytes of HTTP go in and out: calls of clients and their answers, calls to the gateway and to the shop. */
export function watchHttp(pass: Pass, hookPath: string): void {
  watchAnswers(pass);
  const call = (message: unknown): string => outgoing((message as { request: Outgoing }).request, hookPath);
  subscribe('undici:client:sendHeaders', (message) => pass(`before ${call(message)}`));
  subscribe('undici:request:bodySent', (message) => pass(`sent ${call(message)}`));
  subscribe('undici:request:headers', (message) => pass(`head of ${call(message)}`));
  subscribe('undici:request:trailers', (message) => pass(`after ${call(message)}`));
}

interface Outgoing {
  method: string;
  path: string;
}

function outgoing({ method, path }: Outgoing, hookPath: string): string {
  const [pathname = ''] = path.split('?');
  if (pathname === hookPath) return 'delivery';
  return `gateway ${method} ${pathname.replace(/^\/transaction\/.*/, '/transaction/:client_ref')}`;
}

type End = (this: ServerResponse, ...all: unknown[]) => ServerResponse;

function watchAnswers(pass: Pass): void {
  subscribe('http.server.request.start', (message) => {
    const route = routeOf((message as { request: IncomingMessage }).request);
    if (route !== undefined) pass(`request ${route}`);
  });
  // Without parameters known: it has several shapes, and all are handed on as they came.
  const answers = ServerResponse.prototype as unknown as { end: End };
  const { end } = answers;
  answers.end = function (...all) {
    const route = routeOf(this.req);
    if (route !== undefined) pass(`before answer ${route}`);
    const ended = end.apply(this, all);
    if (route !== undefined) pass(`after answer ${route}`);
    return ended;
  };
}

/** The route without what differs from call to call; undefined for those that move nothing. */
function routeOf({ method = '', url = '' }: IncomingMessage): string | undefined {
  const [pathname = ''] = url.split('?');
  if (!pathname.startsWith('/v1/') || (method === 'GET' && !pathname.includes('/return/'))) return undefined;
  const route = pathname
    .replace(/\/return\/[^/]+$/, '/return/:token')
    .replace(/\/(?:pay|cs|evt)_[^/]+/g, '/:id');
  return `${method} ${route}`;
}
