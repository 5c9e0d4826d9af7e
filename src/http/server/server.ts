import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
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
import { originCheck } from './cors.js';
import { Doors } from './doors.js';
import { edgeRule } from '../request/edge-route.js';
import { Problem } from '../problems/problem.js';
import { answerError } from '../problems/problem.filter.js';
import { clientErrorAnswer, writeProblem } from '../problems/raw-problem.js';
import { chooseRequestId } from '../request/request-id.js';
import { RouteIndex } from './route-index.js';
import { repeatedHeader } from './single-headers.js';
import { SecondListener } from './second-listener.js';
import { securityHeaders, standardHeaders } from './security-headers.js';
import { ShutdownGate } from './shutdown-gate.js';

export interface HttpLimits {
  /** Bytes of request line and header together. */
  readonly headerBytes: number;
  /** Characters of path and query. */
  readonly urlLength: number;
  /** Bytes of a JSON body or a form. */
  readonly bodyBytes: number;
  /** Bytes of a body that is taken as it is. */
  readonly rawBodyBytes: number;
  /** Milliseconds within which the header must have arrived. */
  readonly headersTimeoutMs: number;
  /** Milliseconds within which the whole request must have arrived. How long the answer takes does not count. */
  readonly requestTimeoutMs: number;
  /** Milliseconds between two looks for requests that are too slow. */
  readonly timeoutCheckMs: number;
  /** Milliseconds that an idle connection is kept. Longer than the usual minute of load balancers, which must close first. */
  readonly keepAliveMs: number;
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
};

/** What the edge may be told beside the configuration. */
export interface EdgeOptions {
  readonly limits?: HttpLimits;
  /** Whether a bearer secret has the form of a payer's token. */
  readonly isPayersToken?: (bearer: string) => boolean;
}

/** The HTTP edge as Nest sees it. */
export class HttpEdge extends FastifyAdapter {
  /** Shut it first when the service is to stop. */
  readonly shutdownGate = new ShutdownGate();

  /** Opened by {@link openMerchantsDoor}; closed with the application. */
  readonly merchantsListener = new SecondListener();

  constructor(
    options: FastifyServerOptions & { skipMiddie: boolean },
    /** Who answers where. Settle it once all routes are registered. */
    readonly doors: Doors,
    private readonly makeServer: () => Server,
  ) {
    super(options);
  }

  /** Listens for the merchant: the same application, limits and answers, on a port of its own. */
  async openMerchantsDoor(port: number, host: string): Promise<void> {
    const server = this.makeServer();
    server.on('connection', this.doors.markMerchants);
    await this.merchantsListener.open(server, port, host);
  }

  /** Bodies are read by the edge's own parser; the framework's would take text and forms too. */
  override registerParserMiddleware(): void {
    // Nothing to add.
  }

  /** What Nest would answer itself is answered by the edge, as problem documents. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }
}

/**
 * The HTTP server with all its limits. Every answer, also one that Node or the framework makes before any of our code runs,
 * is ours: a problem document with the standard headers and a request id.
 */
export function createFastifyAdapter(
  config: Pick<Config, 'http'>,
  { limits = HTTP_LIMITS, isPayersToken = () => false }: EdgeOptions = {},
): HttpEdge {
  const { publicBaseUrl, allowedOrigins, trustProxy } = config.http;
  const headers = standardHeaders(publicBaseUrl);
  const setHeaders = securityHeaders(headers);
  const doors = new Doors(config.http.merchantPort !== undefined, isPayersToken);
  const answerClientError = clientErrorAnswer(headers);
  let handle: FastifyServerFactoryHandler = () => undefined;
  const makeServer = (): Server => createHttpServer(handle, limits, headers);
  const options = {
    serverFactory: (handler: FastifyServerFactoryHandler) => {
      handle = handler;
      return makeServer();
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // No hook runs for these.
      setHeaders(request, reply, () => {
        answerError(error, request, reply);
      });
    },
    genReqId: chooseRequestId,
    trustProxy: trustedProxies(trustProxy),
    bodyLimit: limits.bodyBytes,
    // Longer than any address, so that only the limit of the address counts.
    routerOptions: { maxParamLength: limits.urlLength },
    return503OnClosing: false,
    // The service uses hooks; the middleware bridge would cost every request something.
    skipMiddie: true,
  };
  const edge = new HttpEdge(options, doors, () => makeServer().on('clientError', answerClientError));
  const isOwnOrigin = (request: FastifyRequest): boolean => doors.isOwnOrigin(request);
  installEdge(edge, setHeaders, limits, originCheck(publicBaseUrl, allowedOrigins, isOwnOrigin));
  return edge;
}

function createHttpServer(
  handler: FastifyServerFactoryHandler,
  limits: HttpLimits,
  headers: Readonly<Record<string, string>>,
): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: limits.keepAliveMs,
      insecureHTTPParser: false,
      // Node would answer a missing Host with an empty 400; the edge answers it with a problem.
      requireHostHeader: false,
    },
    handler,
  );
  // An expectation that nobody knows may be ignored; Node would answer with an empty 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.on('connect', (_request, socket) => {
    writeProblem(
      socket,
      new Problem('method-not-allowed', 'This is no proxy.', { allow: ['GET', 'HEAD', 'POST'] }),
      headers,
    );
  });
  return server;
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
    routes.whyNotFound(request.raw.url ?? '/', (method, url) => edge.doors.isHere(request, method, url));
  server.addHook('onRoute', routes.add);
  server.addHook('onRoute', edge.doors.add);
  server.addHook('onRequest', setHeaders);
  server.addHook('onRequest', (request, _reply, done) => {
    done(malformedness(request, limits));
  });
  server.addHook('onRequest', checkOrigin);
  server.addHook('onRequest', edge.shutdownGate.hook);
  server.addHook('onSend', edge.shutdownGate.onSend);
  server.addHook('preClose', (done) => {
    edge.merchantsListener.beginToClose();
    done();
  });
  server.addHook('onClose', () => edge.merchantsListener.closed());
  server.addHook('onRequest', (request, _reply, done) => {
    // Here, so that no body is read for an address or a method that does not exist.
    if (request.is404) done(whyNotFound(request));
    else if (!edge.doors.admits(request) || namesNothing(request))
      done(new Problem('not-found', 'There is nothing at this address.'));
    else done();
  });
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
  // A gateway's notification counts whatever its media type says, once or twice.
  if (repeated !== undefined && !(repeated === 'content-type' && edgeRule(request).body === 'raw')) {
    return new Problem('malformed-request', 'A header that may stand once stands there twice.');
  }
  return undefined;
}

/** Nothing is called by a control character. PostgreSQL even refuses to look for NUL. What is compared and never looked for may be anything. */
function namesNothing(request: FastifyRequest): boolean {
  if (edgeRule(request).ownCredential === true) return false;
  const values = Object.values(request.params as Record<string, string>);
  return values.some((value) => /\p{Cc}/u.test(value));
}
