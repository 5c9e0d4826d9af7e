import type { Refund, Transaction } from '../ledger/transaction.ts';

export interface Bank {
  code: string;
  name: string;
}

/** The answer of an operation, before a dialect names and places its values. */
export interface Answer {
  error: boolean;
  message: string;
  /** Empty where there is none. */
  errorCode: string;
  /** A snapshot. Absent in a refusal and in the short form of a decline. */
  transaction?: Transaction;
  /** The address of the challenge or cashier page, if the payer must go there. */
  redirectUrl?: string;
  banks?: readonly Bank[];
  /** The order that a payment can now be made for. */
  orderId?: string;
  /** One refund of the transaction. */
  refund?: Refund;
  /** The amount of this operation (a completion's), where it differs from the transaction's. */
  amountMinor?: bigint;
  currency?: string;
  /** Replaces the state's own message. */
  word?: string;
}

/** A refusal. Nothing was moved. */
export function refusal(errorCode: string, message: string): Answer {
  return { error: true, message, errorCode };
}

export const NOT_FOUND: Answer = refusal('NOT_FOUND', 'No such transaction');
