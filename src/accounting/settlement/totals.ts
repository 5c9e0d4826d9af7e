import { formatMajor } from '../../money/money.js';
import { comesIn, type ReportRow } from './row.js';
import type { SettlementTotalsDto } from './settlements.dto.js';

type Sums = Record<Exclude<keyof SettlementTotalsDto, 'currency'>, bigint>;

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

  list(): SettlementTotalsDto[] {
    const text = ([currency, sums]: [string, Sums]) => ({
      currency,
      ...(Object.fromEntries(
        Object.entries(sums).map(([name, sum]) => [name, formatMajor(sum, currency)]),
      ) as Record<keyof Sums, string>),
    });
    return [...this.#sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(text);
  }

  #of(currency: string): Sums {
    const known = this.#sums.get(currency);
    if (known) return known;
    const movements = { gross: 0n, fees: 0n, net: 0n, refunds: 0n, chargebacks: 0n, reversals: 0n };
    const sums = { ...movements, payouts: 0n, unexplained: 0n };
    this.#sums.set(currency, sums);
    return sums;
  }
}
