import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asProblem, sendProblem } from './problem-reply.js';

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
 * Answers an error with a problem document. An unexpected error is logged with its name, message and stack only.
 * Errors of HTTP clients hold the whole request, card included, in further properties.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  if (problem.code === 'internal-error') {
    logger.error(`Request ${request.id} failed unexpectedly.`, error);
  }
  if (!reply.sent && !reply.raw.headersSent) sendProblem(request, reply, problem);
}
