import type { SettlementRecord } from '../../store/schema.js';
import { isMovementRow, type ReportRow } from '../files/report-row.js';
import { ReportTotals } from '../files/report-totals.js';
import { CountedTexts, keyOfHash } from '../match/counted-texts.js';
import { PayoutSums } from '../match/payouts.js';
import type { KnownMoneyRepository } from '../store/known-money.repository.js';
import {
  identityOf,
  MOST_ROWS_EACH,
  type RowToKeep,
  type SettlementRowsRepository,
} from '../store/settlement-rows.repository.js';

/** How many rows are written with one statement. */
const AT_ONCE = 500;

const NO_FEE = { fee: null, net: null };

/** Writes the rows of a report down while it is read, and adds up what it says. Nothing of it counts yet. */
export class Staging {
  readonly totals = new ReportTotals();
  /** The payouts that have no name. */
  readonly unnamed = new PayoutSums();
  /** Rows of payments that the report has too often to hold each of them against anything. */
  surplus = 0;
  #firstAt: number | null = null;
  #lastAt: number | null = null;
  /** Rows of payouts that are about no payment. */
  readonly #equal = new CountedTexts(keyOfHash);
  #waiting: Omit<RowToKeep, 'nth'>[] = [];

  /** @param begin is called before the first row is written */
  constructor(
    private readonly parts: {
      readonly rowsId: string;
      readonly rows: Pick<SettlementRowsRepository, 'add'>;
      readonly money: Pick<KnownMoneyRepository, 'currenciesOf'>;
    },
    private readonly begin: () => Promise<void>,
  ) {}

  /** The report's time. */
  get time(): Pick<SettlementRecord, 'firstAt' | 'lastAt'> {
    return { firstAt: this.#firstAt, lastAt: this.#lastAt };
  }

  async add(rows: readonly ReportRow[]): Promise<void> {
    for (const row of rows) {
      const { settledAt } = row;
      if (settledAt) {
        this.#firstAt = Math.min(this.#firstAt ?? settledAt.from, settledAt.from);
        this.#lastAt = Math.max(this.#lastAt ?? settledAt.until, settledAt.until);
      }
      const identity = identityOf(row);
      if (row.payout === null) this.#addUnnamed(row, identity);
      // A fee by itself is part of a payout, or of nothing that is compared.
      if (isMovementRow(row) || row.payout !== null) this.#waiting.push({ row, identity });
    }
    await this.#addUp(rows);
    while (this.#waiting.length >= AT_ONCE) await this.#write(AT_ONCE);
  }

  async end(): Promise<void> {
    await this.#write(AT_ONCE);
    // Of a million rows that is 25 MB, which matching them must not need besides its own.
    this.#equal.clear();
  }

  #addUnnamed(row: ReportRow, identity: string): void {
    const { line, type, amount, currency, transactionRef, settledAt } = row;
    const { fee, net } = isMovementRow(row) ? row : NO_FEE;
    const { rowsId } = this.parts;
    this.unnamed.add({
      ...{ line, type, amount, fee, net, currency, transactionRef, identity, rowsId },
      ...{ settlementId: rowsId, nth: 1, settledFrom: settledAt?.from ?? null },
    });
  }

  async #write(count: number): Promise<void> {
    await this.begin();
    const together = new Map<string, number>();
    const more = (text: string): number => {
      const times = (together.get(text) ?? 0) + 1;
      together.set(text, times);
      return times;
    };
    const waiting = this.#waiting.splice(0, count);
    const rows = waiting.flatMap(({ row, identity }): RowToKeep[] => {
      if (!isMovementRow(row)) return [{ row, identity, nth: this.#equal.add(identity) }];
      const isSurplus = more(`of ${row.reference}`) > MOST_ROWS_EACH;
      return isSurplus ? [] : [{ row, identity, nth: more(identity) }];
    });
    this.surplus += waiting.length - (await this.parts.rows.add(this.parts.rowsId, rows));
  }

  /** Rows of a report that names no currency are in that of their payment. */
  async #addUp(rows: readonly ReportRow[]): Promise<void> {
    const open = rows.flatMap((row) => (row.currency === null && isMovementRow(row) ? [row.reference] : []));
    const known = open.length === 0 ? undefined : await this.parts.money.currenciesOf(open);
    for (const row of rows) {
      const currency = row.currency ?? (isMovementRow(row) ? known?.get(row.reference) : undefined);
      if (currency !== undefined) this.totals.add(row, currency);
    }
  }
}
