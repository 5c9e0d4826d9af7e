import type { Transaction } from '../ledger/transaction.ts';

export interface Bank {
  code: string;
  name: string;
}

/** What an operation answers, before a dialect gives it names and places. */
export interface Answer {
  error: boolean;
  message: string;
  /** Empty where there is none. */
  errorCode: string;
  /** A snapshot; absent in the bare shape of a decline and in a refusal. */
  transaction?: Transaction;
  /** The address of the challenge or cashier page, where the payer must go there. */
  redirectUrl?: string;
  banks?: readonly Bank[];
  /** The amount of this very operation (a completion's), where it is not the transaction's. */
  amountMinor?: bigint;
  currency?: string;
  /** Said in place of the state's own word. */
  word?: string;
}

/** A refusal: nothing was moved. */
export function refusal(errorCode: string, message: string): Answer {
  return { error: true, message, errorCode };
}

export const NOT_FOUND: Answer = refusal('NOT_FOUND', 'No such transaction');
