import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import type { Answer } from '../../http/server/answer.js';
import { keyedAnswer } from '../../idempotency/idempotent.js';
import type { PaymentRecord } from '../../store/schema.js';
import type { Outcome } from '../operations/command.js';
import { viewPayment } from '../views/payment-view.js';
import type { PaymentDto } from '../views/payment.dto.js';

/** Turns what came of a call into its answer: the payment, or the problem that the caller is told instead, which it throws. */
@Injectable()
export class PaymentAnswers {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Of a call that the gateway is sent: 202 while its outcome is open. */
  sent({ payment, replayed, problem }: Outcome): Answer<PaymentDto> {
    if (problem) throw refusal(payment, problem);
    return keyedAnswer(this.view(payment), replayed, isOpenEnded(payment) ? 202 : undefined);
  }

  /** Of a call that decides here. */
  decided({ payment, replayed, problem }: Outcome): Answer<PaymentDto> {
    if (problem) throw refusal(payment, problem);
    return keyedAnswer(this.view(payment), replayed);
  }

  private view(payment: PaymentRecord): PaymentDto {
    return viewPayment(payment, this.config.gateway.mode === 'live');
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
