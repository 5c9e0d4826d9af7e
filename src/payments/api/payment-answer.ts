import type { FastifyReply } from 'fastify';
import { Problem } from '../../http/problems/problem.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Outcome } from '../operations/payment-starter.js';
import { viewPayment } from '../views/payment-view.js';
import type { PaymentDto } from '../views/payment.dto.js';

/** Answers a call that started a payment: 201, 202 while its outcome is open, 200 for a replay. */
export function answerStarted(outcome: Outcome, reply: FastifyReply, livemode: boolean): PaymentDto {
  return answer(outcome, reply, livemode, 201);
}

/** Answers a call that did something with a payment: 200, or 202 while that is open. */
export function answerDone(outcome: Outcome, reply: FastifyReply, livemode: boolean): PaymentDto {
  return answer(outcome, reply, livemode, 200);
}

function answer(outcome: Outcome, reply: FastifyReply, livemode: boolean, done: 200 | 201): PaymentDto {
  const { payment, replayed, problem } = outcome;
  if (problem) {
    throw new Problem(problem.code, problem.detail, {
      paymentId: payment.id,
      ...(problem.retryAfterSeconds !== undefined && { retryAfterSeconds: problem.retryAfterSeconds }),
    });
  }
  if (replayed) reply.status(200).header('Idempotency-Replayed', 'true');
  else reply.status(isOpenEnded(payment) ? 202 : done);
  return viewPayment(payment, livemode);
}

function isOpenEnded(payment: PaymentRecord): boolean {
  return payment.status === 'processing' || payment.pendingOperation !== null;
}
