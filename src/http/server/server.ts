import { once } from 'node:events';
import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerFactoryHandler,
  FastifyServerOptions,
} from 'fastify';
import type { Config } from '../../config/config.js';
import { installBodyParser } from '../body/body-parser.js';
import { trustedProxies } from '../request/client-address.js';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';
import { answerError } from '../problems/problem.filter.js';
import { chooseRequestId } from '../request/request.js';
import { AdmissionGate } from './admission-gate.js';
import { Connections, exemptPeers, fittingConnections, openFilesLimit } from './connections.js';
import { Answer } from './answer.js';
import { originCheck, repeatedHeader, securityHeaders, standardHeaders } from './headers.js';
import { Listeners } from './listeners.js';
import { createGuardedServer, type ServerLimits } from './guarded-server.js';
import { RouteIndex } from './controller-routes.js';
import { ShutdownGate } from './shutdown-gate.js';

export interface HttpLimits extends ServerLimits {
  /** The most characters of path and query. */
  readonly urlLength: number;
  /** The most bytes of a JSON body or a form. */
  readonly bodyBytes: number;
  /** The most bytes of a raw body. */
  readonly rawBodyBytes: number;
  /** Milliseconds after which a client that takes nothing of its answer is cut. */
  readonly readerPatienceMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headerBytes: 16_384,
  urlLength: 8_192,
  bodyBytes: 32_768,
  rawBodyBytes: 262_144,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  timeoutCheckMs: 1_000,
  keepAliveMs: 72_000,
  readerPatienceMs: 30_000,
};

/** Options of the HTTP server that are not in the configuration. */
export interface EdgeOptions {
  readonly limits?: HttpLimits;
  /** Whether a bearer secret has the form of a payer's token. */
  readonly isPayersToken?: (bearer: string) => boolean;
}

/** The HTTP edge as Nest sees it. */
export class HttpEdge extends FastifyAdapter {
  /** Closed first when the service stops. */
  readonly shutdownGate = new ShutdownGate();

  /** Refuses what could not be answered in time. */
  readonly admissionGate = new AdmissionGate();

  /** Opens the merchant's listener, if there is one. */
  #merchants: Server | undefined;
  #merchantsClosed: Promise<unknown> | undefined;

  constructor(
    options: FastifyServerOptions & { skipMiddie: boolean },
    /** Which listener each route answers at. Settle it once all routes are registered. */
    readonly listeners: Listeners,
    /** Connections of all listeners. */
    readonly connections: Connections,
    private readonly makeServer: () => Server,
  ) {
    super(options);
  }

  /** Listens for the merchant on a separate port, with the same application, limits and answers. */
  async openMerchantsDoor(port: number, host: string): Promise<void> {
    const server = this.makeServer();
    server.on('connection', this.listeners.markMerchants);
    this.#merchants = server.listen(port, host);
    await once(server, 'listening');
  }

  /** Accepts no more connections at the merchant's listener, and closes idle ones. */
  beginToCloseMerchantsDoor(): void {
    const server = this.#merchants;
    if (server?.listening) this.#merchantsClosed = new Promise((resolve) => server.close(resolve));
  }

  /** Resolves when all requests in flight at the merchant's listener are answered. */
  async merchantsDoorClosed(): Promise<void> {
    await this.#merchantsClosed;
  }

  /** Bodies are read by our own parser. The framework's would accept text and forms too. */
  override registerParserMiddleware(): void {
    // Nothing to add.
  }

  /** Sends what a handler has returned. */
  override reply(response: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (!(body instanceof Answer)) return super.reply(response, body, status);
    if (body.head.headers) void response.headers(body.head.headers);
    return super.reply(response, body.body, body.head.status ?? status);
  }

  /** Requests that match no route get a problem document from us instead of Nest's own answer. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }
}

const MOST_CONNECTIONS = 10_000;

/**
 * The HTTP server with all its limits. Every answer is in our form: a problem document with the standard headers and a
 * request id, even where Node or the framework answers before any of our code runs.
 */
export function createFastifyAdapter(
  config: Pick<Config, 'http'>,
  { limits = HTTP_LIMITS, isPayersToken = () => false }: EdgeOptions = {},
): HttpEdge {
  const { publicBaseUrl, allowedOrigins, trustProxy } = config.http;
  const headers = standardHeaders(publicBaseUrl);
  const setHeaders = securityHeaders(headers);
  const listeners = new Listeners(config.http.merchantPort !== undefined, isPayersToken);
  const connections = new Connections(
    {
      all: fittingConnections(MOST_CONNECTIONS, openFilesLimit()),
      perAddress: 0,
      exempt: exemptPeers(trustProxy),
    },
    limits.readerPatienceMs,
  );
  let handle: FastifyServerFactoryHandler = () => undefined;
  const makeServer = (): Server => createGuardedServer(handle, { limits, headers, connections });
  const options = {
    serverFactory: (handler: FastifyServerFactoryHandler) => {
      handle = handler;
      return makeServer();
    },
    // The server has its own, and two would answer twice.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these requests.
      setHeaders(request, reply, () => {
        answerError(error, request, reply);
      });
    },
    genReqId: chooseRequestId,
    trustProxy: trustedProxies(trustProxy),
    bodyLimit: limits.bodyBytes,
    // Longer than any address, so that only the limit on addresses applies.
    routerOptions: { maxParamLength: limits.urlLength },
    return503OnClosing: false,
    // The service uses hooks. The middleware bridge would slow down every request.
    skipMiddie: true,
  };
  const edge = new HttpEdge(options, listeners, connections, makeServer);
  const isOwnOrigin = (request: FastifyRequest): boolean => listeners.isOwnOrigin(request);
  installEdge(edge, setHeaders, limits, originCheck(publicBaseUrl, allowedOrigins, isOwnOrigin));
  return edge;
}

function installEdge(
  edge: HttpEdge,
  setHeaders: ReturnType<typeof securityHeaders>,
  limits: HttpLimits,
  checkOrigin: ReturnType<typeof originCheck>,
): void {
  const server = edge.getInstance<FastifyInstance>();
  const routes = new RouteIndex();
  const whyNotFound = (request: FastifyRequest): Problem =>
    routes.whyNotFound(request.raw.url ?? '/', (method, url) => edge.listeners.isHere(request, method, url));
  server.addHook('onRoute', routes.add);
  server.addHook('onRoute', edge.listeners.add);
  server.addHook('onRequest', setHeaders);
  server.addHook('onRequest', (request, _reply, done) => {
    done(malformedness(request, limits));
  });
  server.addHook('onRequest', checkOrigin);
  server.addHook('onRequest', edge.shutdownGate.hook);
  server.addHook('onSend', edge.shutdownGate.onSend);
  server.addHook('preClose', (done) => {
    edge.beginToCloseMerchantsDoor();
    done();
  });
  server.addHook('onClose', () => edge.merchantsDoorClosed());
  server.addHook('onRequest', (request, _reply, done) => {
    // Checked here, so that no body is read for an address or a method that does not exist.
    if (request.is404) done(whyNotFound(request));
    else if (!edge.listeners.admits(request) || namesNothing(request))
      done(new Problem('not-found', 'There is nothing at this address.'));
    else done();
  });
  server.addHook('onRequest', edge.admissionGate.onRequest);
  server.addHook('preValidation', edge.admissionGate.preValidation);
  installBodyParser(server, limits);
  server.setErrorHandler((error, request, reply) => {
    answerError(error, request, reply);
  });
  server.setNotFoundHandler((request, reply) => {
    answerError(whyNotFound(request), request, reply);
  });
}

function malformedness(request: FastifyRequest, limits: HttpLimits): Problem | undefined {
  if ((request.raw.url?.length ?? 0) > limits.urlLength) {
    return new Problem('uri-too-long', `An address is at most ${limits.urlLength} characters.`);
  }
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    return new Problem('malformed-request', 'The Host header is missing.');
  }
  const repeated = repeatedHeader(request.raw.rawHeaders);
  // A gateway's notification is accepted whatever its media type says, even if the header stands twice.
  if (repeated !== undefined && !(repeated === 'content-type' && edgeRule(request).body === 'raw')) {
    return new Problem('malformed-request', 'A header that may occur only once occurs twice.');
  }
  return undefined;
}

/**
 * No name contains a control character, and PostgreSQL refuses to look for NUL. Values that are only compared and never
 * looked up may hold anything.
 */
function namesNothing(request: FastifyRequest): boolean {
  if (edgeRule(request).ownCredential === true) return false;
  const values = Object.values(request.params as Record<string, string>);
  return values.some((value) => /\p{Cc}/u.test(value));
}
