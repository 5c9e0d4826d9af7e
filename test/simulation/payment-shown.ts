import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import { minor } from './book.ts';

/** Whether a payment, as it is shown or announced, holds money. */
export function showsMoney(shown: PaymentDto): boolean {
  const of = (amount: string | null): bigint => (amount === null ? 0n : minor(amount));
  const left = of(shown.amountCaptured ?? shown.amount) - of(shown.amountRefunded);
  const charged = shown.disputed ? (shown.amountDisputed === null ? left : of(shown.amountDisputed)) : 0n;
  return shown.status === 'succeeded' && left - charged > 0n;
}

export const nameOf = ({ gatewayReference, id }: PaymentDto): string => `${gatewayReference} (${id})`;
