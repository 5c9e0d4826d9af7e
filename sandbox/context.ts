import type { Bank } from './bank/bank.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Settings } from './settings.ts';

/** What an operation works with. */
export interface Context {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly bank: Bank;
  /** The sandbox's own address as payers see it, without a trailing slash. */
  readonly publicUrl: string;
}

/** The fields of one checked request, by the names of the gateway's own description. */
export interface Input {
  /** A string field; empty where it did not come. */
  text(field: string): string;
  /** The amount in minor units of a currency; zero where it is no amount of that currency. */
  minor(currency: string): bigint;
}
