import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { causeOf } from '../../telemetry/error-fields.js';
import { Problem, problemDocument, problemInstance, type ProblemCode } from './problem.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** What the framework's errors mean, by HTTP status. Their messages quote the request, so they are not shown. */
const BY_STATUS: ReadonlyMap<number, readonly [ProblemCode, string]> = new Map([
  [400, ['malformed-request', 'The request cannot be understood.']],
  [401, ['unauthorized', 'A valid credential is needed.']],
  [403, ['forbidden', 'The credential does not allow this.']],
  [404, ['not-found', 'There is nothing at this address.']],
  [405, ['method-not-allowed', 'This method is not allowed here.']],
  [408, ['request-timeout', 'The request took too long to arrive.']],
  [413, ['body-too-large', 'The body is too large.']],
  [414, ['uri-too-long', 'The address is too long.']],
  [415, ['unsupported-media-type', 'Send application/json in UTF-8.']],
  [429, ['rate-limited', 'Too many requests. Try again later.']],
  [431, ['header-too-large', 'The request header is too large.']],
]);

/**
 * The problem that an error stands for. Anything other than a deliberate refusal by this service or its framework is an
 * `internal-error`. Its message goes only to the log.
 */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (hasCode(error, 'store-unavailable')) {
    const cause = causeOf(error);
    const why = cause === undefined ? '' : ` (${cause})`;
    const problem = new Problem('store-unavailable', `The store cannot be used${why}. Try again.`, {
      retryAfterSeconds: 1,
    });
    problem.cause = error;
    return problem;
  }
  if (hasCode(error, 'not-in-store')) {
    return new Problem(
      'not-found',
      'The store does not have this. It may have been lost with its latest writes.',
    );
  }
  const known = BY_STATUS.get(deliberateStatus(error) ?? 0);
  if (known) return new Problem(...known);
  return new Problem('internal-error', 'Something went wrong here. The log has it under this request id.');
}

/** Why a request was refused. */
export interface Refusal {
  code: ProblemCode;
  /** The code that the problem ends in, such as a SQLSTATE, where it has one. */
  cause: string | undefined;
}

const refusals = new WeakMap<FastifyReply, Refusal>();

/** The problem that a request was answered with. Undefined where it was not refused. */
export function refusalOf(reply: FastifyReply): Refusal | undefined {
  return refusals.get(reply);
}

/** Answers with a problem document (RFC 9457). */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  refusals.set(reply, { code: problem.code, cause: causeOf(problem.cause) });
  const document = problemDocument(problem, {
    instance: problemInstance(request.originalUrl),
    requestId: request.id,
  });
  const { retryAfterSeconds, allow } = problem.extra;
  if (retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  if (allow) reply.header('allow', allow.join(', '));
  // What else would arrive belongs to the request that was given up.
  if (problem.status === 408) reply.header('connection', 'close');
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  reply
    .code(problem.status)
    .header('content-type', PROBLEM_MEDIA_TYPE)
    // Sent as bytes, because the framework would add a charset, which this media type does not have.
    .send(Buffer.from(JSON.stringify(document)));
}

/**
 * The status of an error that Nest or Fastify raised about the request. In errors of other libraries a status means
 * something else.
 */
function deliberateStatus(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  const byFastify = typeof code === 'string' && code.startsWith('FST_');
  return byFastify && typeof statusCode === 'number' ? statusCode : undefined;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
