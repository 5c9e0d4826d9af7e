import { randomUUID } from 'node:crypto';
import type { PaymentDto } from '../../payments/views/payment.dto.js';
import type { PaymentRefundDto, RefundListDto } from '../../payments/views/refund.dto.js';
import { serviceOf, type CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { table } from '../output/table.js';
import { ServiceRefusal } from '../service-client.js';
import { paymentIdOf } from './payments.js';

export interface RefundOptions {
  amount: string | undefined;
  reason: string | undefined;
  key: string | undefined;
}

/**
 * Gives money of a payment back. Where no answer comes, the failure names the key with which the same refund can be asked for
 * again: with another one it would be a second refund.
 */
export async function refundPayment(
  context: CommandContext,
  given: string,
  { amount, reason, key = randomUUID() }: RefundOptions,
): Promise<ExitCode> {
  const service = serviceOf(context);
  const id = await paymentIdOf(service, given);
  const body = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) };
  let refund: PaymentRefundDto;
  try {
    refund = await service.post<PaymentRefundDto>(
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
  const said = {
    succeeded: 'was given back',
    processing: 'is being given back: the outcome is not known yet',
    failed: 'was not given back',
  }[refund.status];
  context.reporter.report({ text: [`${refund.amount} of ${id} ${said} (${refund.id}).`], json: refund });
  return refund.status === 'failed' ? EXIT.found : EXIT.done;
}

/** Lists a payment's refunds, the oldest first. */
export async function listRefunds(context: CommandContext, given: string): Promise<ExitCode> {
  const service = serviceOf(context);
  const id = encodeURIComponent(await paymentIdOf(service, given));
  const { currency } = await service.get<PaymentDto>(`/v1/payments/${id}`);
  const { data } = await service.get<RefundListDto>(`/v1/payments/${id}/refunds`);
  const rows = data.map((refund) => [
    refund.createdAt,
    refund.id,
    `${refund.amount} ${currency}`,
    refund.status,
    refund.reason ?? '',
  ]);
  context.reporter.report({
    text:
      rows.length === 0
        ? ['No refunds.']
        : table([['CREATED', 'REFUND', 'AMOUNT', 'STATUS', 'REASON'], ...rows]),
    json: { data },
  });
  return EXIT.done;
}
