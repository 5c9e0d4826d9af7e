import { Injectable } from '@nestjs/common';
import type { SettlementProfile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import { newId } from '../../store/ids.js';
import type { SettlementRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { ReportReader } from '../files/report-reader.js';
import { OrdersReader, type OrdersForm } from '../files/orders-reader.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { CompareOrders } from './compare-orders.js';
import { MatchReport } from './match-report.js';
import { Pace, type FileToCompare } from './pace.js';
import { Staging } from './staging.js';

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
        if (begun) await this.drop(draft.id);
        return { settlement: await this.matchReport.finish(same, pace), digest, created: false };
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
      const settlement = { ...draft, ...same, ...read, ...(same && { digest: same.digest }) };
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
