import { stringify } from 'csv-stringify/sync';
import type { Ledger } from '../ledger/ledger.ts';
import { type LedgerEntry, TAKES } from '../ledger/ledger-entry.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** Text that is answered as it is. */
export class CsvText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const COLUMNS = [
  'reference',
  'transactionRef',
  'type',
  'amount',
  'fee',
  'currency',
  'status',
  'settledAt',
] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

/** What can be planted in a report, so that it differs from the merchant's books. */
export const PLANTS = ['amount', 'unknown', 'twice', 'missing', 'notpaid', 'refund', 'chargeback'] as const;
type Plant = (typeof PLANTS)[number];

/** The report of everything that was paid, given back and charged back so far, oldest first, with differences planted. */
export function settlementReport(ledger: Ledger, plants: readonly Plant[]): CsvText {
  const rows = ledger.entries().flatMap((entry) => rowOf(entry, transactionOf(ledger, entry)) ?? []);
  for (const plant of PLANTS) if (plants.includes(plant)) PLANTERS[plant](rows, ledger);
  return new CsvText(stringify(rows, { header: true, columns: [...COLUMNS], escape_formulas: true }));
}

const PLANTERS: Record<Plant, (rows: Row[], ledger: Ledger) => void> = {
  amount: (rows) => {
    const row = rows.find(({ type }) => type === 'PAYMENT');
    if (row) row.amount = `9${row.amount}`;
  },
  unknown: (rows) => {
    rows.push({ ...usual(rows), reference: 'SANDBOX-NOBODY-KNOWS_1', transactionRef: 'SBXUNKNOWN' });
  },
  twice: (rows) => {
    const row = rows.findLast(({ type }) => type === 'PAYMENT');
    if (row) rows.push({ ...row });
  },
  missing: (rows) => {
    const at = rows.findLastIndex(({ type }) => type === 'PAYMENT');
    if (at >= 0) rows.splice(at, 1);
  },
  notpaid: (rows, ledger) => {
    const failed = ledger.transactions().find(({ state }) => state === 'failed' || state === 'expired');
    const { clientRef = 'SANDBOX-NOT-PAID_1', transactionRef = 'SBXNOTPAID' } = failed ?? {};
    rows.push({ ...usual(rows), reference: clientRef, transactionRef });
  },
  refund: (rows) => {
    rows.push({ ...usual(rows), type: 'REFUND', amount: '1.00' });
  },
  chargeback: (rows) => {
    rows.push({ ...usual(rows), type: 'CHARGEBACK' });
  },
};

/** A row to begin with: one that is there, or one of nothing in particular. */
function usual(rows: readonly Row[]): Row {
  return (
    rows.find(({ type }) => type === 'PAYMENT') ?? {
      reference: 'SANDBOX_1',
      transactionRef: 'SBX',
      type: 'PAYMENT',
      amount: '1500.00',
      fee: '22.50',
      currency: 'NGN',
      status: 'SETTLED',
      settledAt: new Date().toISOString(),
    }
  );
}

function transactionOf(ledger: Ledger, { clientRef, transactionRef }: LedgerEntry): Transaction | undefined {
  return ledger.attempts(clientRef).find((attempt) => attempt.transactionRef === transactionRef);
}

/** What was reversed before it was settled is not in the report. */
function rowOf(entry: LedgerEntry, transaction: Transaction | undefined): Row | undefined {
  const { kind, clientRef, transactionRef, amount, currency, at } = entry;
  const type = TAKES.includes(kind)
    ? 'PAYMENT'
    : kind === 'refund' || kind === 'reverse'
      ? 'REFUND'
      : kind === 'chargeback'
        ? 'CHARGEBACK'
        : undefined;
  if (type === undefined || transaction?.state === 'voided') return undefined;
  const fee = type === 'PAYMENT' ? feeOf(amount) : '0.00';
  return {
    reference: clientRef,
    transactionRef,
    type,
    amount,
    fee,
    currency,
    status: 'SETTLED',
    settledAt: at,
  };
}

/** 1.5 %, in the amount's own form. */
function feeOf(amount: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  return (Number(amount) * 0.015).toFixed(digits);
}
