import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** What a call is answered with, and whether an earlier call with its key has made it. */
export interface Replayable<T> {
  body: T;
  replayed: boolean;
}

/** Answers with the body. A replay is 200 and says so. */
@Injectable()
export class ReplayInterceptor<T> implements NestInterceptor<Replayable<T>, T> {
  intercept(context: ExecutionContext, next: CallHandler<Replayable<T>>): Observable<T> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ body, replayed }) => {
        if (replayed) reply.status(200).header('Idempotency-Replayed', 'true');
        return body;
      }),
    );
  }
}
