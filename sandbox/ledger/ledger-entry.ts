/** What happened; `charge`, `capture` and `receive` take money, `void`, `reverse`, `refund` and `chargeback` give it back. */
export type EntryKind =
  | 'create'
  | 'wait'
  | 'charge'
  | 'authorize'
  | 'capture'
  | 'receive'
  | 'decline'
  | 'expire'
  | 'void'
  | 'reverse'
  | 'refund'
  | 'chargeback'
  | 'refuse';

export interface LedgerEntry {
  sequence: number;
  at: string;
  clientRef: string;
  transactionRef: string;
  attempt: number;
  /** True when the entry belongs to a second initiating call under one `client_ref`. */
  duplicateClientRef: boolean;
  kind: EntryKind;
  /** What caused it: an operation, `challenge`, `cashier`, `bank`, `control` or `clock`. */
  by: string;
  /** Decimal string in major units. */
  amount: string;
  currency: string;
  detail?: string;
}

export const TAKES: readonly EntryKind[] = ['charge', 'capture', 'receive'];
export const GIVES: readonly EntryKind[] = ['void', 'reverse', 'refund', 'chargeback'];
