import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import type { Replayable } from '../../idempotency/replay.interceptor.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Outcome } from '../operations/outcome.js';
import { viewPayment } from '../views/payment-view.js';
import type { PaymentDto } from '../views/payment.dto.js';

/** The status of an answer whose payment is still open. That of every answer where it is absent. */
export const OpenStatus = Reflector.createDecorator<202>();

/** Turns what came of a call into its answer: the payment, or the problem that the caller is told instead. */
@Injectable()
export class PaymentAnswerInterceptor implements NestInterceptor<Outcome, Replayable<PaymentDto>> {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Outcome>): Observable<Replayable<PaymentDto>> {
    const openStatus = this.reflector.get(OpenStatus, context.getHandler());
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ payment, replayed, problem }) => {
        if (problem) throw refusal(payment, problem);
        if (openStatus !== undefined && isOpenEnded(payment)) reply.status(openStatus);
        return { body: viewPayment(payment, this.config.gateway.mode === 'live'), replayed };
      }),
    );
  }
}

/** The problem that a caller gets where an operation was not done. */
export function refusal(payment: PaymentRecord, problem: Outcome['problem'] & object): Problem {
  return new Problem(problem.code, problem.detail, {
    paymentId: payment.id,
    ...(problem.retryAfterSeconds !== undefined && { retryAfterSeconds: problem.retryAfterSeconds }),
  });
}

function isOpenEnded(payment: PaymentRecord): boolean {
  return payment.status === 'processing' || payment.pendingOperation !== null;
}
