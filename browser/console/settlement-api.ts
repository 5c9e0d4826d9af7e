// Generated from docs/openapi.json: run "npm run kit:types".

export interface SettlementPage {
  data: Settlement[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface Settlement {
  id: string;
  /** Whether this is real money. */
  livemode: boolean;
  /** When it was received. RFC 3339, UTC. */
  receivedAt: string;
  /** Who sent it. */
  actor: string;
  /** The report's time, from its first row to its last; null where its rows name none. */
  from: string | null;
  to: string | null;
  /** How many rows it has, without the header. */
  rows: number;
  /** Rows that do not count, by reason: another `status`, a `fee` by itself, of a type that the profile ignores. */
  skipped: {
    [key: string]: number;
  };
  /** How many of its rows settle a movement of the ledger, those that an earlier report has too among them. */
  rowsMatched: number;
  /** How many say otherwise than the ledger, counted in the same way. */
  rowsDifferent: number;
  /** How many rows could not be read, and were compared with nothing. */
  rowsSetAside: number;
  /** Where they stand: the first thousand. */
  setAside: SetAsideRow[];
  /** What its rows come to, by currency. */
  totals: SettlementTotals[];
  /**
   * How many differences of each kind it has brought when it came; one that an earlier report has brought is counted there. `not_settled` counts what no
   *     report has of its time. `twice_there` is the part of `settled_twice` that it has settled twice itself, and `missing_there` the same as `not_settled`: as
   *     versions before 0.3.0 called them. Those of orders are there where a list of orders was compared too.
   */
  counts: {
    [key: string]: number;
  };
  orders: SettlementOrders | null;
  /** Null if nobody has asked to take anything over. */
  adoption: SettlementAdoption | null;
}
export interface SetAsideRow {
  /** In the file, the first line being 1. */
  line: number;
  /** The column at fault, as the header names it; null where it is the whole line. */
  column: string | null;
}
export interface SettlementTotals {
  currency: string;
  /** The payments. */
  gross: string;
  /** What the gateway keeps. */
  fees: string;
  /** What the merchant gets. */
  net: string;
  refunds: string;
  chargebacks: string;
  /** Refunds and chargebacks that came back, less payments that were reversed. */
  reversals: string;
  /** The payouts that the report has as rows. */
  payouts: string;
}
export interface SettlementOrders {
  /** How many orders it has. */
  rows: number;
  /** RFC 3339, UTC. */
  receivedAt: string;
}
export interface SettlementAdoption {
  /** Payments about which the gateway is still to be asked. */
  waiting: number;
  /** Taken over on the gateway's word. */
  adopted: number;
  /** Taken over on the person's word alone: these payments need attention. */
  adoptedOnWord: number;
  /** Not taken over; the differences say why. */
  left: number;
}
export interface DifferencePage {
  data: SettlementDifference[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface SettlementDifference {
  id: string;
  /**
   * As `name`, but `twice_there` for what is `settled_twice` within the report, and `missing_there` for what is `not_settled` in its time: as
   *     versions before 0.3.0 called them.
   */
  kind:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'twice_there'
    | 'missing_there'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  /**
   * The word that `GET /v1/differences` has for it.
   */
  name:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  state: 'open' | 'closed';
  row: number | null;
  settlementId: string | null;
  reference: string;
  paymentId: string | null;
  movementId: string | null;
  foundAt: string;
  expected: DifferenceMoney | null;
  found: DifferenceMoney | null;
  note: string | null;
  closedBy: string | null;
  closedAt: string | null;
  reason: 'duplicate' | 'gateway_corrected' | 'written_off' | 'explained' | null;
  step:
    | 'adopted'
    | 'asked'
    | 'adopted_on_word'
    | 'to_ask'
    | 'unconfirmed'
    | 'to_approve'
    | 'to_adopt'
    | 'left_not_paid'
    | 'left_unknown'
    | 'left_given_back'
    | 'left_waiting'
    | 'left_held'
    | 'left_known'
    | 'left_reference'
    | 'left_currency'
    | null;
  /** What the file says: decimal, in major units. */
  amount?: string;
  currency?: string;
}
export interface DifferenceMoney {
  /** Decimal, in major units. */
  amount: string;
  /** ISO 4217; null where the file names none. */
  currency: string | null;
}
export interface AllDifferencesPage {
  data: Difference[];
  /** Ask with it as `cursor` for the next page; null on the last. */
  nextCursor: string | null;
}
export interface Difference {
  id: string;
  /**
   * `amount_differs`, `currency_differs`: settled with another one; `not_paid_here`: settled there, not paid here; `unknown_here`: there is no such
   *     payment; `settled_twice`: by a report, or by two of them; `refund_unknown_here`, `refund_differs`, `chargeback_unknown_here`, `chargeback_differs`;
   *     `fee_differs`: not what the profile expects; `payout_differs`: not the net of its rows; `not_settled`: in no report. Of the list: `order_not_paid`,
   *     `order_paid_twice`, `order_unknown`: paid here, not listed as paid. More words may come.
   */
  kind:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  /**
   * The same word.
   */
  name:
    | 'refund_unknown_here'
    | 'chargeback_unknown_here'
    | 'settled_twice'
    | 'amount_differs'
    | 'currency_differs'
    | 'not_paid_here'
    | 'unknown_here'
    | 'refund_differs'
    | 'chargeback_differs'
    | 'fee_differs'
    | 'payout_differs'
    | 'not_settled'
    | 'order_not_paid'
    | 'order_paid_twice'
    | 'order_unknown';
  state: 'open' | 'closed';
  /** The line in the file, the header being 1; null where no row is meant. */
  row: number | null;
  /** The report whose row it is about, or beside which the list was sent; null for what no report has. */
  settlementId: string | null;
  /** The gateway's reference of the payment; of an order the merchant's; of a payout its name. */
  reference: string;
  paymentId: string | null;
  /** The ledger's entry that it is about, where that is known. */
  movementId: string | null;
  /** When it was found. RFC 3339, UTC. */
  foundAt: string;
  /** What the ledger has; null: nothing. */
  expected: DifferenceMoney | null;
  /** What the file says; null: nothing. */
  found: DifferenceMoney | null;
  /** The latest note of a person. */
  note: string | null;
  /** Who closed it; null while it is open, and where it has closed itself because what it lacked has arrived. */
  closedBy: string | null;
  /** RFC 3339, UTC. */
  closedAt: string | null;
  /**
   * Why a person has closed it.
   */
  reason: 'duplicate' | 'gateway_corrected' | 'written_off' | 'explained' | null;
  /**
   * What is done about it. `to_ask`: the gateway will be asked; `asked`: it has its time to confirm; `unconfirmed`: the payment
   *     needs attention; `to_approve`: the gateway cannot be asked, so another person must approve what the report claims. `to_adopt`, `adopted`, `adopted_on_word`, or `left_…`: not taken over, because the gateway says `not_paid`,
   *     `unknown`, `given_back`, `waiting` or `held`, the payment is `known` here by now, or `reference` or `currency` cannot be told. Null: nothing is.
   */
  step:
    | 'adopted'
    | 'asked'
    | 'adopted_on_word'
    | 'to_ask'
    | 'unconfirmed'
    | 'to_approve'
    | 'to_adopt'
    | 'left_not_paid'
    | 'left_unknown'
    | 'left_given_back'
    | 'left_waiting'
    | 'left_held'
    | 'left_known'
    | 'left_reference'
    | 'left_currency'
    | null;
}
