import { minorOf } from '../files/file-amount.js';
import { directionOf, paidOut, type ReportRow } from '../files/report-row.js';
import type { FoundDifference } from './reconcile.js';
import { payoutDifference } from './found-differences.js';
import type { KeptRow } from './kept-row.js';

/** A row that is part of a payout, or is the payout itself. */
export type PayoutPart = Pick<
  KeptRow,
  'line' | 'settlementId' | 'amount' | 'fee' | 'net' | 'currency' | 'nth'
> & {
  readonly rowsId: string;
  readonly type: ReportRow['type'];
  readonly transactionRef: string | null;
  readonly identity: string;
  readonly settledFrom: number | null;
};

interface Sum {
  /** The net of its rows. */
  net: bigint;
  /** With the reports' own signs. */
  signed: bigint;
  /** The first row that says that it was paid out; undefined: none does. */
  row: PayoutPart | undefined;
  /** How many do. */
  rows: number;
}

/**
 * What the rows of one payout come to, by currency. Rows without a currency are passed over: nobody knows how many minor units they
 * are.
 */
export class PayoutSums {
  readonly #sums = new Map<string, Sum>();

  add(part: PayoutPart): void {
    const { currency, type } = part;
    if (currency === null) return;
    const before = this.#sums.get(currency) ?? { net: 0n, signed: 0n, row: undefined, rows: 0 };
    if (type === 'payout') {
      before.signed += minorOf(part.amount, currency) ?? 0n;
      before.row ??= part;
      before.rows += 1;
    } else before.net += netOf(part, currency);
    this.#sums.set(currency, before);
  }

  /** The payouts of this name that are not the net of their rows. */
  differences(name: string): FoundDifference[] {
    return this.#differing().map(({ row, currency, net, paid }) =>
      payoutDifference(row, {
        ...{ name, subject: `payout ${currency} ${name}` },
        expected: { amount: net, currency },
        found: { amount: paid, currency },
      }),
    );
  }

  /** The same of payouts without a name: of each currency only where there is just one, whose rows are all that have no name. */
  unnamed(): { row: PayoutPart; difference: FoundDifference | undefined }[] {
    return [...this.#sums].flatMap(([currency, { row, rows, net, signed }]) => {
      if (!row || rows !== 1) return [];
      const paid = paidOut(signed, net);
      const money = { expected: { amount: net, currency }, found: { amount: paid, currency } };
      const told = { name: row.transactionRef ?? '', subject: unnamedSubject(row), ...money };
      return [{ row, difference: net === paid ? undefined : payoutDifference(row, told) }];
    });
  }

  #differing(): { row: PayoutPart; currency: string; net: bigint; paid: bigint }[] {
    return [...this.#sums].flatMap(([currency, { row, net, signed }]) => {
      const paid = paidOut(signed, net);
      return row && net !== paid ? [{ row, currency, net, paid }] : [];
    });
  }
}

/** By which a payout without a name is known over all reports. */
export function unnamedSubject({ identity }: Pick<PayoutPart, 'identity'>): string {
  return `payout row ${identity}`;
}

/** What the merchant gets by a row: as it says, else its signed amount less its fee. */
function netOf({ type, amount, fee, net }: PayoutPart, currency: string): bigint {
  const minor = (one: typeof fee): bigint => (one === null ? 0n : (minorOf(one, currency) ?? 0n));
  if (net !== null) return minor(net);
  const isIn = type !== 'fee' && type !== 'payout' && directionOf(type) === 'in';
  return (isIn ? minor(amount) : -minor(amount)) - minor(fee);
}
