import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isUploading } from '../body/upload.js';
import { Problem } from '../problems/problem.js';
import { clientErrorAnswer, writeProblem } from '../problems/raw-problem.js';
import { ConnectionTurns, type Handler } from './connection-turns.js';
import type { Connections } from './connections.js';

export interface ServerLimits {
  /** The most bytes of request line and headers together. */
  readonly headerBytes: number;
  /** Milliseconds within which the headers must arrive. */
  readonly headersTimeoutMs: number;
  /** Milliseconds within which the whole request must arrive. The time that the answer takes does not count. */
  readonly requestTimeoutMs: number;
  /** Milliseconds between two checks for slow requests. */
  readonly timeoutCheckMs: number;
  /**
   * Milliseconds that an idle connection is kept open. This is longer than the usual minute of load balancers, because the
   * balancer must close first.
   */
  readonly keepAliveMs: number;
}

export interface ServerGuards {
  readonly limits: ServerLimits;
  /** The headers of answers that are given before any of our code runs. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: Connections;
}

/**
 * Every HTTP server of the service is made here. Whatever a client sends or does, and at whatever moment it goes, ends its own
 * connection and nothing else; and what one connection may cost is bounded.
 */
export function createGuardedServer(handle: Handler, { limits, headers, connections }: ServerGuards): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.keepAliveMs,
    insecureHTTPParser: false,
    // Node would answer a missing Host header with an empty 400. We answer it with a problem document.
    requireHostHeader: false,
  });
  const guarded: Handler = (request, response) => {
    if (connections.isReserve(request.socket) && !mayBeAnswered(request, response))
      refuse(request.socket, headers);
    else handle(request, response);
  };
  server.on('connection', (socket: Socket) => {
    // Node takes its own listener away before it hands a socket on, and a socket without one stops the process.
    socket.on('error', ignore);
    connections.add(socket, new ConnectionTurns(socket, guarded));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    connections.turnsOf(request.socket)?.begin(request, response);
  });
  // An unknown expectation may be ignored. Node would answer it with an empty 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  const afterAll = (socket: Socket, answer: () => void): void => {
    const turns = connections.turnsOf(socket);
    if (turns) turns.end(answer);
    else socket.destroy();
  };
  server.on('connect', ({ socket }: IncomingMessage) => {
    afterAll(socket, () => {
      writeProblem(socket, notAProxy(), headers);
    });
  });
  const answerError = clientErrorAnswer(headers, isUploading);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // What is no request may stand behind requests that are not answered yet.
    const behind =
      error.code?.startsWith('HPE_') === true && connections.turnsOf(socket)?.receiving === false;
    if (behind) afterAll(socket, () => answerError(error, socket));
    else answerError(error, socket);
  });
  // Where the process has no file handle left for a connection, it closes that connection and reports it here.
  server.on('error', ignore);
  return server;
}

/** Whether a request on a connection of the reserve is answered. Only one is, so that the place is free again. */
function mayBeAnswered(request: IncomingMessage, response: ServerResponse): boolean {
  response.shouldKeepAlive = false;
  return request.url?.startsWith('/health/') === true;
}

function refuse(socket: Socket, headers: Readonly<Record<string, string>>): void {
  const why = 'Too many connections are open. Try again.';
  writeProblem(socket, new Problem('overloaded', why, { retryAfterSeconds: 1 }), headers);
}

function notAProxy(): Problem {
  return new Problem('method-not-allowed', 'This is not a proxy.', { allow: ['GET', 'HEAD', 'POST'] });
}

function ignore(): void {
  // Node closes the connection.
}
