import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem, problemDocument } from './problem.js';
import { PROBLEM_MEDIA_TYPE } from './problem-reply.js';

/** How long a refused connection may take to read its answer before it is cut. */
const LINGER_MS = 1_000;

/** A first line of this many bytes explains by itself why a header is too large. */
const LONG_REQUEST_LINE = 8_192;

/** What Node reports about a connection: the error, and the bytes that it was parsing. */
interface ServerFault {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/**
 * Answers what Node's HTTP server refuses before the framework sees it: a header that is too large or too slow, a body that
 * is too slow, or something that is not HTTP. Without this, Node answers with an empty body and no headers. A request for which
 * `mayTakeLonger` speaks is not cut for its slowness.
 */
export function clientErrorAnswer(
  headers: Readonly<Record<string, string>>,
  mayTakeLonger: (socket: Socket) => boolean = () => false,
): (error: ServerFault, socket: Socket) => void {
  return (error, socket) => {
    // Node reports a slow request once. Who reads it watches its time from here on.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLonger(socket)) return;
    // The parser reports again for every further packet of a connection that was already answered.
    if (socket.writableEnded) return;
    const response = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    writeProblem(socket, refusal(error), headers);
  };
}

/** Writes a problem document straight to a socket and closes it. An error of the socket ends it, and nothing else. */
export function writeProblem(
  socket: Duplex,
  problem: Problem,
  headers: Readonly<Record<string, string>>,
): void {
  const requestId = randomUUID();
  const body = JSON.stringify(problemDocument(problem, { instance: '/', requestId }));
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    ...(problem.extra.allow ? { allow: problem.extra.allow.join(', ') } : {}),
    ...(problem.extra.retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(Math.max(1, Math.ceil(problem.extra.retryAfterSeconds))) }),
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = problem;
  // Whoever handed the socket on may have taken their listener away, and the client may be gone by now.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  // Closing at once, with unread bytes of the client, would reset the connection and lose the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function refusal(error: ServerFault): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isLongRequestLine(error.rawPacket)
        ? new Problem('uri-too-long', 'The address is too long.')
        : new Problem('header-too-large', 'The request header is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'The request took too long to arrive.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('body-too-large', 'The chunk extensions of the body are too large.');
    default:
      return new Problem('malformed-request', 'This is not a valid HTTP request.');
  }
}

/** Whether the first line made the header too large. If the request came in many packets, only the last one is known. */
function isLongRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]{3,10} /.test(packet.toString('latin1', 0, 11))) return false;
  const end = packet.indexOf('\n');
  return end < 0 || end > LONG_REQUEST_LINE;
}
