import { formatMajor } from '../../money/money.js';
import { minorOf } from './file-amount.js';
import {
  amountsIn,
  directionOf,
  isMovementRow,
  paidOut,
  type CurrencyTotals,
  type ReportRow,
} from './report-row.js';

type Sums = Record<Exclude<keyof CurrencyTotals, 'currency'>, bigint>;

/** What the rows of a report come to, by currency. */
export class ReportTotals {
  readonly #sums = new Map<string, Sums>();

  /**
   * Adds a row.
   * @param currency its own; where the report has none that of its payment. What is of neither adds nothing.
   */
  add(row: ReportRow, currency: string): void {
    if (row.currency !== null && row.currency !== currency) return;
    if (isMovementRow(row)) {
      const amounts = amountsIn(row, currency);
      if (!amounts) return;
      const { gross, fee, net } = amounts;
      const sums = this.#of(currency);
      sums.fees += fee ?? 0n;
      sums.net += net;
      switch (row.type) {
        case 'payment':
          sums.gross += gross;
          break;
        case 'refund':
          sums.refunds += gross;
          break;
        case 'chargeback':
          sums.chargebacks += gross;
          break;
        default:
          sums.reversals += directionOf(row.type) === 'in' ? gross : -gross;
      }
      return;
    }
    const amount = minorOf(row.amount, currency);
    if (amount === undefined) return;
    const sums = this.#of(currency);
    if (row.type === 'payout') sums.payouts += amount;
    else {
      sums.fees += amount;
      sums.net -= amount;
    }
  }

  /** The totals, by currency in the order of their codes. */
  list(): readonly CurrencyTotals[] {
    return [...this.#sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sums]) => {
        const text = (key: keyof Sums): string => signedMajor(sums[key], currency);
        return {
          currency,
          gross: text('gross'),
          fees: text('fees'),
          net: text('net'),
          refunds: text('refunds'),
          chargebacks: text('chargebacks'),
          reversals: text('reversals'),
          payouts: signedMajor(paidOut(sums.payouts, sums.net), currency),
        };
      });
  }

  #of(currency: string): Sums {
    const found = this.#sums.get(currency);
    if (found) return found;
    const none = { gross: 0n, fees: 0n, net: 0n, refunds: 0n, chargebacks: 0n, reversals: 0n, payouts: 0n };
    this.#sums.set(currency, none);
    return none;
  }
}

function signedMajor(minor: bigint, currency: string): string {
  return minor < 0n ? `-${formatMajor(-minor, currency)}` : formatMajor(minor, currency);
}
