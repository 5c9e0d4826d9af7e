import type { Bank } from './bank/bank.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Settings } from './settings.ts';

/** What an operation works with. */
export interface Context {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly bank: Bank;
  /** The sandbox's own address for payers, without a trailing slash. */
  readonly publicUrl: string;
}

/** The fields of one checked request, by the names in the gateway's own documentation. */
export interface Input {
  /** A string field. Empty where it was not sent. */
  text(field: string): string;
  /** The amount in minor units of a currency. Zero where it is not a valid amount of that currency. */
  minor(currency: string): bigint;
}
