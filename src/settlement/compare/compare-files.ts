import { Injectable } from '@nestjs/common';
import type { SettlementProfile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import { newId } from '../../store/ids.js';
import type { SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { ReportReader } from '../files/report-rows.js';
import { OrdersReader, type OrdersForm } from '../files/orders-reader.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import {
  SettlementRowsRepository,
  identityOf,
  MOST_ROWS_EACH,
  type RowToKeep,
} from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { CompareOrders } from './compare-orders.js';
import { MatchReport } from './match-report.js';
import { Pace, type FileToCompare } from './comparison-slot.js';
import { isMovementRow, type ReportRow } from '../files/report-row.js';
import { ReportTotals } from '../files/report-totals.js';
import { CountedTexts, keyOfHash } from '../match/counted-texts.js';
import { PayoutSums } from '../match/payouts.js';

/** How many rows are written with one statement. */
const AT_ONCE = 500;

const NO_FEE = { fee: null, net: null };

/** Writes the rows of a report down while it is read, and adds up what it says. Nothing of it counts yet. */
class Staging {
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

/** Who sends a report. */
export interface Sender {
  readonly actor: string;
  /** Whether what it names may hold orders up until the gateway was asked: not on the word of whoever only keeps the books. */
  readonly names: boolean;
}

/** What came of a file. */
export interface ComparedFile {
  readonly settlement: SettlementRecord;
  /** Of the file's text: SHA-256 in hexadecimal. */
  readonly digest: string;
  /** Whether it was compared just now, and not before. */
  readonly created: boolean;
}

/**
 * Compares files with the ledger. The rows of a report are written down while it is read, and count from one statement at its end on: of a
 * faulty or interrupted file nothing stays. Then they are matched, which a process that comes after this one goes on with if this one dies.
 * Use it within the `ComparisonSlot`.
 */
@Injectable()
export class CompareFiles {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly rows: SettlementRowsRepository,
    private readonly money: KnownMoneyRepository,
    private readonly matchReport: MatchReport,
    private readonly orders: CompareOrders,
  ) {}

  /** Compares a report. The same file twice is one comparison. Throws `validation-failed`. */
  async compareReport(
    shapes: readonly SettlementProfile[],
    sender: Sender,
    file: FileToCompare,
  ): Promise<ComparedFile> {
    await this.clear();
    const draft = newSettlement(sender, this.store.clock.now());
    let begun = false;
    const begin = async (): Promise<void> => {
      if (begun) return;
      begun = true;
      await this.repository.begin(draft);
    };
    const pace = new Pace(file.goesOn);
    try {
      const reader = new ReportReader(shapes);
      const staging = new Staging({ rowsId: draft.id, rows: this.rows, money: this.money }, begin);
      for await (const rows of reader.rows(file.pieces)) {
        await staging.add(rows);
        await pace.pause();
      }
      await staging.end();
      const digest = reader.digest();
      const same = await this.findReport(reader);
      if (same && same.rowsId !== null) {
        const settlement = await this.matchReport.finish(same, pace);
        if (sender.names && !same.names) await this.matchReport.nameUnheard(draft.id, pace);
        if (begun) await this.drop(draft.id);
        return { settlement, digest, created: false };
      }
      const read = {
        ...{ digest, rowsId: draft.id, rowCount: reader.rowCount, ...staging.time },
        ...{ skipped: { ...reader.skipped }, setAside: reader.setAside.count === 0 ? null : reader.setAside },
        totals: staging.totals.list().map((totals) => ({ ...totals })),
        fees: reader.shape?.fees ?? [],
        ...{ matchedTo: -1, matchedAt: null, rowsMatched: 0, rowsDifferent: staging.surplus },
      };
      await begin();
      const counts = same
        ? await this.repository.readAgain(same.id, read)
        : await this.repository.read(draft.id, read);
      if (!counts) throw interrupted();
      if (same) await this.repository.remove(draft.id);
      const settlement = {
        ...{ ...draft, ...same, ...read, ...(same && { digest: same.digest }) },
        names: sender.names || (same?.names ?? false),
      };
      return {
        settlement: await this.matchReport.match(settlement, pace, staging.unnamed),
        digest,
        created: !same,
      };
    } catch (error) {
      if (begun) await this.drop(draft.id).catch(() => undefined);
      throw error;
    }
  }

  /** The report that a file was compared as before; undefined: as none. */
  findReport(reader: ReportReader): Promise<SettlementRecord | undefined> {
    return this.repository.findByDigest([reader.digest(), reader.rawDigest()]);
  }

  /** Holds a list of orders against the ledger beside a report. It takes the place of an earlier one. Throws `validation-failed`. */
  async compareOrders(
    before: SettlementRecord,
    form: OrdersForm,
    file: FileToCompare,
  ): Promise<ComparedFile> {
    await this.clear();
    const reader = new OrdersReader(form);
    const settlement = await this.orders.compare(before, reader, file);
    return { settlement, digest: reader.digest(), created: false };
  }

  /** Removes what a process has left behind that died while it read a report, or a list of orders. */
  private async clear(): Promise<void> {
    for (const id of await this.repository.running()) await this.drop(id);
    await this.orders.clear();
  }

  /** Removes a report that was not read to its end; one that was stays. */
  private async drop(id: string): Promise<void> {
    if (await this.repository.giveUp(id)) await this.rows.dropAll(id);
    await this.repository.remove(id);
  }
}

function newSettlement({ actor, names }: Sender, now: number): SettlementRecord {
  const id = newId('stl');
  return {
    id,
    // No file has it: digests are hexadecimal.
    digest: id,
    ...{
      receivedAt: now,
      actor,
      firstAt: null,
      lastAt: null,
      rowCount: 0,
      counts: {},
      finishedAt: null,
      skipped: {},
    },
    ...{ paidFrom: null, paidUntil: null, ordersDigest: null, ordersAt: null, orderCount: null },
    ...{ ordersFrom: null, ordersUntil: null, rowsId: null, matchedTo: -1, matchedAt: null },
    ...{ rowsMatched: 0, rowsDifferent: 0, setAside: null, totals: [], fees: [], names },
  };
}

function interrupted(): Problem {
  return new Problem('operation-in-progress', 'The comparison was interrupted. Send the file again.');
}
