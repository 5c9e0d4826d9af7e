import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A signal that is aborted when the connection of the request ends before its answer: nobody waits for that any more. */
export const CallerGone = createParamDecorator(
  (_: unknown, context: ExecutionContext): AbortSignal =>
    context.switchToHttp().getRequest<FastifyRequest>().signal,
);
