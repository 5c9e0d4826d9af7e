import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { scrub } from '../../telemetry/scrub.js';
import { asProblem, sendProblem } from './problem-reply.js';

/** How many nested causes of an error are logged. */
const MAX_CAUSES = 3;

const logger = new Logger('Http');

/** Turns everything that a handler throws into a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/**
 * Answers an error with a problem document. An unexpected error is logged with its scrubbed name, message and stack only.
 * Errors of HTTP clients hold the whole request, card included, in further properties.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  if (problem.code === 'internal-error') {
    logger.error(`Request ${request.id} failed unexpectedly: ${cleanDescription(error)}`);
  }
  if (!reply.sent && !reply.raw.headersSent) sendProblem(request, reply, problem);
}

/** An error and its causes as text that is safe to log. */
function cleanDescription(error: unknown): string {
  const parts: string[] = [];
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES && current !== undefined; depth++) {
    if (current instanceof Error) {
      parts.push(current.stack ?? `${current.name}: ${current.message}`);
      current = current.cause;
    } else {
      // A thrown value that is not an error may be anything, even the request's body.
      parts.push(`a thrown ${typeof current}`);
      current = undefined;
    }
  }
  return scrub(parts.join('\ncaused by: '));
}
