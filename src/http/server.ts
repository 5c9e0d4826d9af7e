import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import fastifyCors from '@fastify/cors';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config/config.js';
import { Answer } from './server/answer.js';
import { installBodyParser } from './body.js';
import { doorOf, Doors, enterBy, nothingHere, type Door } from './doors.js';
import { Problem } from './problems/problem.js';
import { answerClientError, answerError } from './problem-reply.js';
import { chooseRequestId } from './request.js';
import { edgeRule } from './route.js';

const BODY_BYTES = 32_768;
const RAW_BODY_BYTES = 262_144;
const HEADER_BYTES = 16_384;
/** On a payer's way back from the bank, and on pages: browsers send the cookies of the whole domain. */
const PAGE_HEADER_BYTES = 32_768;

/** Node's own limits. Tests shorten them. */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  /** Milliseconds after which a connection on which nothing moves is closed, unless a call to the gateway takes longer. */
  idle: 60_000,
  maxConnections: 4_096,
  maxRequestsPerSocket: 1_000,
};

type EdgeConfig = {
  readonly http: Pick<Config['http'], 'publicBaseUrl' | 'allowedOrigins' | 'trustProxy'> & {
    readonly merchantPort?: number;
    readonly managementPort?: number;
  };
  readonly gateway: Pick<Config['gateway'], 'timeoutMs'>;
};

/** The headers of every answer. A handler that sets one of them, as the pages do, overrides it. */
function constantHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(publicBaseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** How often a process that stops looks whether it may close its ports. */
const IDLE_LOOK_MS = 20;

/** The HTTP edge as Nest sees it: one application behind up to three ports. */
export class HttpEdge extends FastifyAdapter {
  readonly #makeServer: (door: Door) => Server;
  readonly #servers = new Map<Door, Server>();
  #isShut = false;
  #running = 0;

  constructor(config: EdgeConfig, limits = SERVER_LIMITS) {
    const headers = constantHeaders(config.http.publicBaseUrl);
    // For some of these requests no hook has run.
    const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
      answerError(error, request, reply.headers({ ...headers, 'x-request-id': request.id }));
    };
    let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
    const makeServer = (door: Door): Server =>
      newServer(config, limits, headers, (request, response) => {
        enterBy(door, request);
        handle(request, response);
      });
    const options: FastifyServerOptions & { skipMiddie: boolean } = {
      serverFactory: (handler) => {
        handle = handler;
        return makeServer('payers');
      },
      // Each server has its own.
      clientErrorHandler: () => undefined,
      frameworkErrors: answer,
      genReqId: chooseRequestId,
      trustProxy: trusted(config.http.trustProxy),
      bodyLimit: BODY_BYTES,
      routerOptions: { maxParamLength: PAGE_HEADER_BYTES },
      return503OnClosing: false,
      // The middleware bridge would slow down every request.
      skipMiddie: true,
    };
    super(options);
    this.#makeServer = makeServer;
    this.#install(this.getInstance<FastifyInstance>(), config, headers, answer);
  }

  /** Opens the ports besides `PORT`. */
  async openOthers({
    host,
    merchantPort,
    managementPort,
  }: {
    readonly host: string;
    readonly merchantPort?: number;
    readonly managementPort?: number;
  }): Promise<void> {
    const ports = { merchant: merchantPort, management: managementPort };
    for (const [door, port] of Object.entries(ports) as [keyof typeof ports, number | undefined][]) {
      if (port === undefined) continue;
      const server = this.#makeServer(door).listen(port, host);
      this.#servers.set(door, server);
      await once(server, 'listening');
    }
  }

  /**
   * From now on new requests are refused (503 `shutting-down`), except those of machines, and each answer closes its connection: a client
   * that kept it would come back to this process.
   */
  shut(): void {
    this.#isShut = true;
  }

  /** Resolves when no request is being answered. Ports that close before that could tell nobody why. */
  async idle(): Promise<void> {
    while (this.#running > 0) await pause(IDLE_LOOK_MS);
  }

  /** Bodies are read by our own parser. */
  override registerParserMiddleware(): void {
    // Nothing to add.
  }

  /** Sends what a handler returned. */
  override reply(response: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (!(body instanceof Answer)) return super.reply(response, body, status);
    if (body.head.headers) void response.headers(body.head.headers);
    return super.reply(response, body.body, body.head.status ?? status);
  }

  /** Nest's own answers are not problem documents. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  #install(
    server: FastifyInstance,
    { http }: EdgeConfig,
    headers: Readonly<Record<string, string>>,
    answer: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
  ): void {
    const doors = new Doors(server, http);
    const origins = new Set([...http.allowedOrigins, new URL(http.publicBaseUrl).origin]);
    server.addHook('onRoute', (route) => {
      if (route.config?.edge?.body === 'raw') route.bodyLimit = RAW_BODY_BYTES;
    });
    server.addHook('onRequest', (request, reply, done) => {
      this.#running += 1;
      reply.raw.once('close', () => (this.#running -= 1));
      reply.headers(headers).header('x-request-id', request.id);
      done(headerFault(request));
    });
    server.addHook('onSend', ({ headers: { host, upgrade } }, reply, _payload, done) => {
      // What asks for another protocol, or says too little, is answered once.
      if (this.#isShut || upgrade !== undefined || host === undefined) reply.header('connection', 'close');
      done();
    });
    server.addHook('onRequest', (request, reply, done) => {
      const { origin } = request.headers;
      if (origin !== undefined && isOwn(request, origin)) reply.header('access-control-allow-origin', origin);
      const foreign = mayNotCall(request, origins);
      done(foreign ? new Problem('origin-not-allowed', 'This browser origin may not call.') : undefined);
    });
    void server.register(fastifyCors, {
      // Without `allowedHeaders` it grants every header that is asked for, as tracing libraries add theirs to each call.
      origin: [...origins],
      methods: ['GET', 'HEAD', 'POST'],
      exposedHeaders: ['Date', 'Idempotency-Replayed', 'Retry-After', 'X-Request-Id'],
      maxAge: 7_200,
      strictPreflight: false,
    });
    // After the grant, so that a shop's page can read these refusals.
    server.after(() => {
      server.addHook('onRequest', (request, _reply, done) => {
        const refused = this.#isShut && edgeRule(request).openAt !== 'management';
        if (refused) done(new Problem('shutting-down', 'This process is shutting down. Try again.'));
        else done(namesNothing(request) ? nothingHere() : doors.refusal(request));
      });
      doors.finish();
    });
    server.addHook('preClose', (done) => {
      this.#servers.get('merchant')?.close();
      done();
    });
    server.addHook('onClose', (_server, done) => {
      this.#servers.get('management')?.close();
      done();
    });
    installBodyParser(server);
    server.setErrorHandler(answer);
    server.setNotFoundHandler((request, reply) => {
      answer(nothingHere(), request, reply);
    });
  }
}

/** The framework counts hops from zero, and would trust nobody for a number. */
function trusted(setting: Config['http']['trustProxy']): FastifyServerOptions['trustProxy'] {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** Whatever a client sends, and whenever it leaves, ends its own connection and nothing else. */
function newServer(
  { gateway }: EdgeConfig,
  { maxConnections, maxRequestsPerSocket, idle, ...limits }: typeof SERVER_LIMITS,
  headers: Readonly<Record<string, string>>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const patience = Math.max(idle, gateway.timeoutMs + 35_000);
  const server = createServer(
    // Node has one size for all addresses, and answers a missing Host itself, without a problem document.
    { ...limits, keepAliveTimeout: patience, maxHeaderSize: PAGE_HEADER_BYTES, requireHostHeader: false },
    handle,
  );
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  server.timeout = patience;
  server.on('clientError', answerClientError(headers));
  // An unknown expectation may be ignored.
  server.on('checkExpectation', handle);
  server.on('connection', (socket) => {
    // Node takes its own listener away before it hands a socket on.
    socket.on('error', () => undefined);
  });
  return server;
}

const PAGE = /^\/(?:checkout|console|docs|kit|v1\/payments\/:id\/return)\b|^\/$/;

function headerFault(request: FastifyRequest): Problem | undefined {
  const { url = '', rawHeaders, httpVersion } = request.raw;
  if (request.headers.host === undefined && httpVersion === '1.1')
    return new Problem('malformed-request', 'The Host header is missing.');
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length);
  if (bytes <= HEADER_BYTES || PAGE.test(request.routeOptions.url ?? '')) return undefined;
  return new Problem('header-too-large', 'The request header is over 16 KiB.');
}

/** Where any browser origin may send: the gateway, and the bank that sends a payer back. */
const FROM_ANYWHERE = /^\/v1\/(?:gateway\/notifications|payments\/[^/]+\/return)(?:\/|$)/;

function mayNotCall(request: FastifyRequest, origins: ReadonlySet<string>): boolean {
  const { origin } = request.headers;
  const url = request.routeOptions.url ?? request.url;
  if (origin === undefined || origins.has(origin) || !url.startsWith('/v1/')) return false;
  if (FROM_ANYWHERE.test(url)) return false;
  return !isOwn(request, origin);
}

/** The console at the merchant's own port. No page from elsewhere can set `Host`. */
function isOwn(request: FastifyRequest, origin: string): boolean {
  return doorOf(request) === 'merchant' && URL.parse(origin)?.host === request.headers.host?.toLowerCase();
}

/** No name contains a control character, and PostgreSQL refuses to look for NUL. */
function namesNothing(request: FastifyRequest): boolean {
  return Object.values(request.params as Record<string, string>).some((value) => /\p{Cc}/u.test(value));
}
