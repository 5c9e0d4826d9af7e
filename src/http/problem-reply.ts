import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { causeOf } from '../telemetry/error-fields.js';
import { Problem, problemAnswer, type ProblemCode } from './problems/problem.js';

/** Errors of the framework and of Node. Their own messages quote the request, so they are not shown. */
const BY_STATUS: Readonly<Record<number, readonly [ProblemCode, string]>> = {
  400: ['malformed-request', 'The request cannot be understood.'],
  404: ['not-found', 'There is nothing at this address.'],
  405: ['method-not-allowed', 'This method is not allowed here.'],
  408: ['request-timeout', 'The request took too long to arrive.'],
  413: ['body-too-large', 'The body is too large.'],
  414: ['header-too-large', 'The address is too long.'],
  415: ['unsupported-media-type', 'Send application/json.'],
  431: ['header-too-large', 'The request header is too large.'],
};

/** The problem that an error stands for: `internal-error` unless this service or its framework refused on purpose. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code } = Object(error) as { code?: unknown };
  if (code === 'store-unavailable')
    return Object.assign(new Problem(code, 'The store cannot be used. Try again.'), { cause: error });
  if (code === 'overloaded')
    return new Problem(code, 'The service is overloaded. Nothing was started; try again.');
  const known = BY_STATUS[refusedStatus(error, code) ?? 0];
  return known
    ? new Problem(...known)
    : new Problem('internal-error', 'The service failed. Its log has the reason under this request id.');
}

/** An address that can be no file of the pages. */
const NO_FILE: readonly unknown[] = ['FST_STATIC_FORBIDDEN_PATH', 'ENAMETOOLONG'];

/** In errors of other libraries a status means something else. */
function refusedStatus(error: unknown, code: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (NO_FILE.includes(code)) return 404;
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_')) return undefined;
  return (error as { statusCode?: number }).statusCode;
}

/** Why a request was refused, and the code of the error behind that, such as a SQLSTATE. */
export interface Refusal {
  code: ProblemCode;
  cause: string | undefined;
}

const refusals = new WeakMap<FastifyReply, Refusal>();

/** The problem that a request was answered with. Undefined where it was not refused. */
export function refusalOf(reply: FastifyReply): Refusal | undefined {
  return refusals.get(reply);
}

const logger = new Logger('Http');

/** Answers with a problem document, and logs an unexpected error. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  if (problem.code === 'internal-error') logger.error(`Request ${request.id} failed unexpectedly`, error);
  if (reply.sent || reply.raw.headersSent) return;
  refusals.set(reply, { code: problem.code, cause: causeOf(problem.cause) });
  const { headers, body } = problemAnswer(problem, request.id);
  // Bytes, because the framework adds a charset to a text.
  reply.code(problem.status).headers(headers).send(Buffer.from(body));
}

/** Turns everything that a handler throws into a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

const BY_NODE_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a refused client may take to read its answer. Closing at once would reset the connection and lose it. */
const LINGER_MS = 1_000;

/** Answers what Node refuses before the framework sees it, and ends that connection. */
export function answerClientError(
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (socket.writableEnded) return;
    const response = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    if (!socket.writable || error.code === 'ECONNRESET' || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const status = BY_NODE_CODE[error.code ?? ''] ?? 400;
    const requestId = randomUUID();
    const [code, detail] = BY_STATUS[status] ?? ['malformed-request', 'This is not HTTP.'];
    const answer = problemAnswer(new Problem(code, detail), requestId);
    const lines = Object.entries({
      ...{ ...headers, ...answer.headers, 'x-request-id': requestId, connection: 'close' },
      'content-length': String(Buffer.byteLength(answer.body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${answer.body}`);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
