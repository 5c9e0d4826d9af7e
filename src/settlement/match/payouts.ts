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
    return this.#held().flatMap(({ row, currency, ...money }) => {
      const told = { name, subject: `payout ${currency} ${name}` };
      return differenceOf(row, told, { currency, ...money }) ?? [];
    });
  }

  /** The same of payouts without a name: of each currency only where there is just one, whose rows are all that have no name. */
  unnamed(): { row: PayoutPart; difference: FoundDifference | undefined }[] {
    return this.#held().flatMap(({ row, rows, ...money }) => {
      if (rows !== 1) return [];
      const told = { name: row.transactionRef ?? '', subject: unnamedSubject(row) };
      return [{ row, difference: differenceOf(row, told, money) }];
    });
  }

  /** Each payout beside the net of its rows. */
  #held(): { row: PayoutPart; rows: number; currency: string; net: bigint; paid: bigint }[] {
    return [...this.#sums].flatMap(([currency, { row, rows, net, signed }]) =>
      row ? [{ row, rows, currency, net, paid: paidOut(signed, net) }] : [],
    );
  }
}

function differenceOf(
  row: PayoutPart,
  told: { name: string; subject: string },
  { currency, net, paid }: { currency: string; net: bigint; paid: bigint },
): FoundDifference | undefined {
  if (net === paid) return undefined;
  const money = { expected: { amount: net, currency }, found: { amount: paid, currency } };
  return payoutDifference(row, { ...told, ...money });
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
