import { randomUUID } from 'node:crypto';
import type { ApprovedDto } from '../../approvals/approval.dto.js';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import type { PaymentRefundDto } from '../../payments/views/refund.dto.js';
import { serviceOf, type CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { ServiceRefusal } from '../service-client.js';
import { paymentIdOf } from './payments.js';

export interface RefundOptions {
  amount: string | undefined;
  reason: string | undefined;
  key: string | undefined;
  /** Nobody is asked before the refund. */
  yes: boolean;
}

/**
 * Gives money of a payment back, after a question to whoever sits at the terminal. Where no answer comes, the failure names the key with which the same refund can be asked for
 * again: with another one it would be a second refund.
 */
export async function refundPayment(
  context: CommandContext,
  given: string,
  { amount, reason, key = randomUUID(), yes }: RefundOptions,
): Promise<ExitCode> {
  const service = serviceOf(context);
  const id = await paymentIdOf(service, given);
  if (!yes) {
    const payment = await service.get<PaymentDto>(`/v1/payments/${encodeURIComponent(id)}`);
    if (!(await context.reporter.confirms(question(payment, amount))))
      throw new CommandFailure('Nothing was refunded.', 'declined', EXIT.found);
  }
  const body = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) };
  let answer: PaymentRefundDto | ApprovedDto;
  try {
    answer = await service.post<PaymentRefundDto | ApprovedDto>(
      `/v1/payments/${encodeURIComponent(id)}/refunds`,
      body,
      undefined,
      key,
    );
  } catch (error) {
    if (error instanceof ServiceRefusal || !(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(
      `${error.message}\nThe refund may have been made. Ask for the same one again with --idempotency-key ${key}`,
      error.code,
    );
  }
  if ('approval' in answer) return reportApproval(context, id, answer);
  const refund = answer;
  const said = {
    succeeded: 'was given back',
    processing: 'is being given back: the outcome is not known yet',
    failed: 'was not given back',
  }[refund.status];
  context.reporter.report({ text: [`${refund.amount} of ${id} ${said} (${refund.id}).`], json: refund });
  return refund.status === 'failed' ? EXIT.found : EXIT.done;
}

/** What a person at the terminal is asked. */
function question(payment: PaymentDto, amount: string | undefined): string {
  const { reference, currency, amountCaptured, amountRefunded } = payment;
  const before = amountRefunded === null ? '' : `, ${amountRefunded} of it refunded before`;
  const paid = `${amountCaptured ?? '0'} ${currency} was paid${before}`;
  const what = amount === undefined ? 'all that is left' : `${amount} ${currency}`;
  return `Refund ${what} of ${reference} (${paid})? It cannot be undone.`;
}

/** Nothing was sent: another person must approve it. A repeated call may find it decided. */
function reportApproval(context: CommandContext, id: string, answer: ApprovedDto): ExitCode {
  const { approval } = answer;
  const said =
    approval.state === 'waiting'
      ? `waits until another person approves it, at the latest ${approval.expiresAt}. Nothing was sent yet`
      : `is ${approval.state}`;
  context.reporter.report({
    text: [`The refund of ${approval.amount} of ${id} ${said} (${approval.id}).`],
    json: answer,
  });
  return EXIT.done;
}
