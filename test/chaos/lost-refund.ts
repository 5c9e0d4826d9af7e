import { writeMajor } from '../../sandbox/ledger/money.ts';
import type { Transaction } from '../../sandbox/ledger/transaction.ts';
import type { Payment } from './purchase.ts';

/** How much of a transaction the gateway's books say was given back; null: nothing. */
export function givenBack(transaction: Transaction | undefined): string | null {
  const { refundedMinor = 0n, currency = 'NGN' } = transaction ?? {};
  return refundedMinor === 0n ? null : writeMajor(refundedMinor, currency);
}

/**
 * Whether a refund is open that never reached the gateway: all that was given back there is recorded. Nothing ever says that it
 * was not done, so it stays open until a person says so.
 */
export function isLostRefund(
  { pendingOperation, amountRefunded }: Payment,
  transaction: Transaction | undefined,
): boolean {
  return pendingOperation?.['type'] === 'refund' && givenBack(transaction) === amountRefunded;
}
