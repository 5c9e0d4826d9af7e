import type { Bank } from './bank/bank.ts';
import type { OrderBook } from './ledger/order-book.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Settings } from './settings.ts';

/** What an operation works with. */
export interface Context {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly bank: Bank;
  /** Orders that a payment can be made for, where the dialect asks for one first. */
  readonly orders: OrderBook;
  /** Whether a card's PIN is asked for after the card. */
  readonly asksPinLater: boolean;
  /** The sandbox's own address for payers, without a trailing slash. */
  readonly publicUrl: string;
}

/** The fields of one checked request, by the names in the gateway's own documentation. */
export interface Input {
  /** A string field. Empty where it was not sent. */
  text(field: string): string;
  /** A field as it was sent. Undefined where it was not. */
  value(field: string): unknown;
  /** The amount in minor units of a currency. Zero where it is not a valid amount of that currency. */
  minor(currency: string): bigint;
}
