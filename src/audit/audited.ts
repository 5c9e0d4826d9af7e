import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { catchError, mergeMap, type Observable } from 'rxjs';
import { actorOf, type Caller, type RequestWithCaller } from '../auth/caller.js';
import { holdsCardNumber } from '../card-numbers/holds-card-number.js';
import { asProblem } from '../http/problem-reply.js';
import { clientAddress } from '../http/address.js';
import { Answer } from '../http/server/answer.js';
import { Audit } from './audit.js';

const AUDITED = 'tillfront:audited';

/** The form of our own ids. Whatever else a caller writes into an address is not kept. */
const ID = /^[a-z]{2,3}_\w{20,80}$/;

/** Adds the row of a marked call once it is over, before it is answered. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly audit: Audit,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<RequestWithCaller>();
    // A payer's call is not the merchant's.
    if (caller?.kind !== 'merchant') return next.handle();
    const end = this.begin(context, caller);
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        await end(asProblem(error).code);
        throw error;
      }),
      mergeMap(async (answer) => {
        await end('ok', answer instanceof Answer ? answer.body : answer);
        return answer;
      }),
    );
  }

  /** Adds the row of a call that a guard refuses to a known caller: it runs before any interceptor. */
  async refused(context: ExecutionContext, caller: Caller, error: unknown): Promise<void> {
    await this.begin(context, caller)(asProblem(error).code);
  }

  /** Returns what adds the call's row. */
  private begin(
    context: ExecutionContext,
    caller: Caller,
  ): (outcome: string, answer?: unknown) => Promise<void> {
    const action = this.reflector.get<string | undefined>(AUDITED, context.getHandler());
    if (action === undefined) return () => Promise.resolve();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { id } = request.params as { id?: string };
    const act = {
      ...{ at: this.audit.now(), actor: actorOf(caller), action, address: clientAddress(request) },
      ...{ requestId: request.id, count: 1 },
    };
    return (outcome, answer) =>
      this.audit.add({
        ...act,
        object: objectOf(id ?? (answer as { id?: unknown } | undefined)?.id),
        outcome,
      });
  }
}

/** Marks a method that changes something: each call of it with a merchant's key adds one row to the audit. `action` is a verb. */
export const Audited = (action: string): MethodDecorator =>
  applyDecorators(SetMetadata(AUDITED, action), UseInterceptors(AuditInterceptor));

function objectOf(id: unknown): string | null {
  return typeof id === 'string' && ID.test(id) && !holdsCardNumber(id.replace(/^\w+?_/, '')) ? id : null;
}
