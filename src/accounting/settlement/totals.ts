import { formatSigned } from '../../money/money.js';
import { comesIn, type ReportRow } from './row.js';

const SUMS = [
  'gross',
  'fees',
  'net',
  'refunds',
  'chargebacks',
  'reversals',
  'payouts',
  'unexplained',
] as const;
type Sums = Record<(typeof SUMS)[number], bigint>;
export type Totals = { currency: string } & Record<(typeof SUMS)[number], string>;

/** What the rows of a report come to, by currency. */
export class ReportTotals {
  readonly #sums = new Map<string, Sums>();

  add({ type, amount, currency, fee, net, netCurrency }: ReportRow): void {
    const sums = this.#of(currency);
    if (type === 'payout') {
      sums.payouts += amount;
      return;
    }
    const kept = this.#of(netCurrency);
    kept.fees += fee;
    kept.net += net ?? 0n;
    if (type === 'fee') return;
    if (type === 'payment') sums.gross += amount;
    else if (type === 'refund') sums.refunds += amount;
    else if (type === 'chargeback') sums.chargebacks += amount;
    else sums.reversals += type === 'paymentReversal' ? -amount : amount;
    // In another currency than the amount they are not compared with it.
    if (currency === netCurrency) sums.unexplained += (comesIn(type) ? amount : -amount) - fee - (net ?? 0n);
  }

  list(): Totals[] {
    return [...this.#sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sums]) => {
        const texts = SUMS.map((name) => [name, formatSigned(sums[name], currency)]);
        return { currency, ...(Object.fromEntries(texts) as Record<keyof Sums, string>) };
      });
  }

  #of(currency: string): Sums {
    let sums = this.#sums.get(currency);
    if (!sums) {
      sums = Object.fromEntries(SUMS.map((name) => [name, 0n])) as Sums;
      this.#sums.set(currency, sums);
    }
    return sums;
  }
}
