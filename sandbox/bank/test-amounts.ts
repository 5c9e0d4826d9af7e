import type { Fault } from '../faults/fault.ts';
import { minorDigits } from '../ledger/money.ts';

/** What an amount with these minor digits does to a wallet, transfer or USSD payment. */
export interface TestAmount {
  minor: number;
  title: string;
  /** Refused at once: `error: true`, and nothing is created. */
  declined?: boolean;
  /** The state that the order reaches by itself after `settleAfterMs`. */
  settles?: 'succeeded' | 'failed' | 'expired';
  fault?: Fault;
}

export const TEST_AMOUNTS: readonly TestAmount[] = [
  { minor: 51, title: 'declined at initiation', declined: true },
  { minor: 52, title: 'answer names another amount', fault: { kind: 'other-amount', processed: true } },
  { minor: 53, title: 'answer names another currency', fault: { kind: 'other-currency', processed: true } },
  {
    minor: 54,
    title: 'answer names a foreign reference (wallet)',
    fault: { kind: 'other-reference', processed: true },
  },
  {
    minor: 55,
    title: 'cashier address is http on a foreign host (wallet)',
    fault: { kind: 'other-url', processed: true },
  },
  { minor: 56, title: 'never answers, created', fault: { kind: 'silent', processed: true } },
  { minor: 57, title: 'HTTP 500, created', fault: { kind: 'status', status: 500, processed: true } },
  { minor: 58, title: 'HTTP 500, not created', fault: { kind: 'status', status: 500, processed: false } },
  { minor: 59, title: 'never answers, not created', fault: { kind: 'silent', processed: false } },
  { minor: 60, title: 'is paid by itself after settleAfterMs', settles: 'succeeded' },
  { minor: 61, title: 'fails by itself after settleAfterMs', settles: 'failed' },
  { minor: 62, title: 'expires by itself after settleAfterMs', settles: 'expired' },
];

/** The table's row for an amount. Only currencies with two minor digits have one. */
export function testAmount(amountMinor: bigint, currency: string): TestAmount | undefined {
  if (minorDigits(currency) !== 2) return undefined;
  const ending = Number(amountMinor % 100n);
  return TEST_AMOUNTS.find((amount) => amount.minor === ending);
}
