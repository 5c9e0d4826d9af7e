import { Problem, type ProblemCode } from '../../http/problems/problem.js';
import { Answer, REPLAYED } from '../../http/server/answer.js';
import { paymentView, refundView } from '../core/view.js';
import type { PaymentDto, RefundDto } from '../core/payment.dto.js';
import type { OrderState, Payment } from '../core/payment.js';
import type { Performed } from '../engine.js';

/** Failures of a start at which the caller gets a problem: nobody's card was declined. */
const START_PROBLEMS: Partial<Record<string, [ProblemCode, string]>> = {
  gateway_unavailable: ['gateway-unavailable', 'The gateway cannot be reached. The payer was not charged.'],
  gateway_busy: ['gateway-busy', 'The gateway is busy. The payer was not charged.'],
  gateway_credentials_rejected: [
    'gateway-credentials-rejected',
    'The gateway rejected the merchant’s credentials.',
  ],
};

const RETRY_SECONDS = 5;

/** An operation that was sent. */
type Sent = Extract<Performed, { was: 'done' }>;

/** The answer to the call that starts a payment. */
export function startAnswer(performed: Performed, livemode: boolean): Answer<PaymentDto> {
  if (performed.was === 'replay')
    return paymentAnswer(performed.state, performed.key.resource.id, livemode, true);
  const { payment, operation, fact, state } = performed;
  const problem = operation.state === 'refused' ? START_PROBLEMS[payment.failure?.code ?? ''] : undefined;
  if (problem) throw refusal(problem[0], problem[1], payment, fact);
  return new Answer(paymentView(state, payment, livemode), {
    status: payment.status === 'processing' ? 202 : 201,
  });
}

/** The answer to a code, completion or void. */
export function operationAnswer(performed: Performed, livemode: boolean): Answer<PaymentDto> {
  if (performed.was === 'replay')
    return paymentAnswer(performed.state, performed.key.resource.id, livemode, true);
  const { payment, operation, state } = performed;
  refuseWhereRefused(performed);
  return new Answer(paymentView(state, payment, livemode), {
    status: operation.state === 'confirmed' ? 200 : 202,
  });
}

/** The answer to a refund. */
export function refundAnswer(performed: Performed): Answer<RefundDto> {
  if (performed.was === 'replay') {
    const { resource } = performed.key;
    const payment = performed.state.payments.find(({ id }) => id === resource.paymentId);
    const refund = payment?.operations.find(({ id }) => id === resource.id);
    if (!payment || !refund) throw new Error('A key without its refund.');
    return new Answer(refundView(payment, refund), REPLAYED);
  }
  const { payment, operation } = performed;
  refuseWhereRefused(performed);
  return new Answer(refundView(payment, operation), { status: operation.state === 'confirmed' ? 201 : 202 });
}

/** The answer to a call that sends no operation, such as a cancel. */
export function paymentAnswer(
  state: OrderState,
  id: string,
  livemode: boolean,
  isReplay = false,
): Answer<PaymentDto> {
  const payment = state.payments.find((one) => one.id === id);
  if (!payment) throw new Problem('not-found', 'There is no such payment.');
  return new Answer(paymentView(state, payment, livemode), isReplay ? REPLAYED : { status: 200 });
}

function refuseWhereRefused({ payment, operation, fact }: Sent): void {
  if (operation.state !== 'refused') return;
  const { code, detail } = operation.problem ?? { code: 'gateway-refused', detail: 'The gateway refused.' };
  throw refusal(code as ProblemCode, detail, payment, fact);
}

function refusal(code: ProblemCode, detail: string, payment: Payment, fact: Sent['fact']): Problem {
  const retryAfterSeconds = 'retryAfterSeconds' in fact ? fact.retryAfterSeconds : undefined;
  return new Problem(code, detail, {
    paymentId: payment.id,
    ...(code === 'gateway-busy' || code === 'gateway-unavailable'
      ? { retryAfterSeconds: retryAfterSeconds ?? RETRY_SECONDS }
      : {}),
  });
}
