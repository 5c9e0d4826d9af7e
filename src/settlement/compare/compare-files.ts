import { Injectable } from '@nestjs/common';
import type { SettlementProfile } from '../../gateway/profile/format.js';
import { Problem } from '../../http/problems/problem.js';
import type { SettlementRecord } from '../../store/schema.js';
import { Naming } from '../../payments/named/naming.js';
import { newId } from '../../store/ids.js';
import { Store } from '../../store/store.js';
import { noneOf, ORDER_DIFFERENCES, REPORT_DIFFERENCES } from '../difference.js';
import { OrdersReader, type OrdersForm } from '../files/orders-reader.js';
import { ReportReader } from '../files/report-reader.js';
import { KnownPayments } from '../store/known-payments.js';
import { ReturnsRepository } from '../store/returns.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { DifferenceWriter } from './difference-writer.js';
import { OrdersComparison } from './orders-comparison.js';
import { Pace } from './pace.js';
import { isCompared, ReportComparison } from './report-comparison.js';

/** So many rows that are unknown here are named with one look at the store. */
const NAMED_AT_ONCE = 400;

/** A file that is to be compared. */
export interface FileToCompare {
  readonly pieces: AsyncIterable<Buffer>;
  /** Called again and again while the work goes on. */
  readonly goesOn: () => Promise<void>;
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
 * Compares files with the store. What differs is written down in pieces while a file is read, and counts from one statement at
 * the end on; of a faulty or interrupted file nothing stays. Use it within the `ComparisonSlot`.
 */
@Injectable()
export class CompareFiles {
  constructor(
    private readonly store: Store,
    private readonly repository: SettlementsRepository,
    private readonly known: KnownPayments,
    private readonly returns: ReturnsRepository,
    private readonly naming: Naming,
  ) {}

  /** Compares a report. The same file twice is one comparison. Throws `validation-failed`. */
  async compareReport(
    shapes: readonly SettlementProfile[],
    actor: string,
    file: FileToCompare,
  ): Promise<ComparedFile> {
    const now = this.store.clock.now();
    const draft = newSettlement(actor, now);
    let begun = false;
    const begin = async (): Promise<void> => {
      if (begun) return;
      begun = true;
      await this.repository.begin(draft);
    };
    const differences = new DifferenceWriter(this.repository, draft.id, REPORT_DIFFERENCES, 0, begin);
    const parts = { known: this.known, differences, pace: new Pace(file.goesOn), now };
    const reader = new ReportReader(shapes);
    const comparison = new ReportComparison({
      ...parts,
      settlementId: draft.id,
      settledElsewhere: (ids) => this.repository.settledElsewhere(draft.id, ids),
      returns: {
        of: (references) => this.returns.of(references, draft.id),
        add: async (rows) => {
          await begin();
          await this.returns.add(rows);
        },
      },
    });
    try {
      for await (const rows of reader.rows(file.pieces)) {
        await comparison.take(rows.filter(isCompared));
        await file.goesOn();
      }
      await comparison.end();
      const digest = reader.digest();
      const same = await this.findReport(reader);
      if (same) {
        if (begun) await this.repository.drop(draft.id);
        return { settlement: same, digest, created: false };
      }
      await differences.flush();
      if (differences.counts['unknown_here']) await this.nameUnknown(draft);
      const { settled, paid } = comparison;
      const finished = {
        digest,
        firstAt: settled.from,
        lastAt: settled.until,
        rowCount: reader.rowCount,
        counts: differences.counts,
        skipped: { ...reader.skipped },
        setAside: reader.setAside.count === 0 ? null : reader.setAside,
        paidFrom: paid.from,
        paidUntil: paid.until,
        finishedAt: this.store.clock.now(),
      };
      if (!(await this.repository.finish(draft.id, finished))) throw interrupted();
      return { settlement: { ...draft, ...finished }, digest, created: true };
    } catch (error) {
      if (begun) await this.repository.drop(draft.id).catch(() => undefined);
      throw error;
    }
  }

  /** The report that has this text. Those of 0.2.0 are known by their bytes. */
  async findReport(reader: ReportReader): Promise<SettlementRecord | undefined> {
    const same = await this.repository.findByDigest(reader.digest());
    return same ?? this.repository.findByDigest(reader.rawDigest());
  }

  /** No payment of these orders starts before the gateway was asked about what the report names. */
  private async nameUnknown(draft: SettlementRecord): Promise<void> {
    for (let after = 0; ;) {
      const page = { kind: 'unknown_here', after, limit: NAMED_AT_ONCE } as const;
      const found = await this.repository.differences(draft, page);
      const named = found.map(({ reference }) => reference);
      await this.naming.name(named, 'report');
      const last = found.at(-1);
      if (!last || found.length < NAMED_AT_ONCE) return;
      after = last.number;
    }
  }

  /** Holds a list of orders against the store beside a report. It takes the place of an earlier one. Throws `validation-failed`. */
  async compareOrders(
    before: SettlementRecord,
    form: OrdersForm,
    file: FileToCompare,
  ): Promise<ComparedFile> {
    const { id } = before;
    const former = { from: before.ordersFrom ?? 0, until: before.ordersUntil ?? -1 };
    const first = (await this.repository.lastNumber(id)) + 1;
    const differences = new DifferenceWriter(this.repository, id, ORDER_DIFFERENCES, first - 1);
    const parts = {
      known: this.known,
      differences,
      pace: new Pace(file.goesOn),
      now: this.store.clock.now(),
    };
    const reader = new OrdersReader(form);
    const comparison = new OrdersComparison(parts);
    try {
      for await (const rows of reader.rows(file.pieces)) {
        await comparison.take(rows);
        await file.goesOn();
      }
      await comparison.end(before);
      await differences.flush();
    } catch (error) {
      // What an earlier list differs in still counts.
      await this.repository.dropOrderDifferences(id, former).catch(() => undefined);
      throw error;
    }
    const digest = reader.digest();
    const finished = {
      counts: { ...before.counts, ...differences.counts },
      ordersDigest: digest,
      ordersAt: this.store.clock.now(),
      orderCount: reader.rowCount,
      ordersFrom: first,
      ordersUntil: differences.last,
    };
    // From here on this list may be the one that counts, also where no answer of the store says so. Nothing of it is removed.
    await this.repository.finishOrders(id, finished);
    await this.repository.dropOrderDifferences(id, { from: first, until: differences.last });
    return { settlement: { ...before, ...finished }, digest, created: false };
  }
}

function newSettlement(actor: string, now: number): SettlementRecord {
  const id = newId('stl');
  return {
    id,
    // No file has it: digests are hexadecimal.
    digest: id,
    receivedAt: now,
    actor,
    firstAt: null,
    lastAt: null,
    rowCount: 0,
    counts: noneOf(REPORT_DIFFERENCES),
    finishedAt: null,
    skipped: {},
    setAside: null,
    paidFrom: null,
    paidUntil: null,
    ordersDigest: null,
    ordersAt: null,
    orderCount: null,
    ordersFrom: null,
    ordersUntil: null,
  };
}

function interrupted(): Problem {
  return new Problem('operation-in-progress', 'The comparison was interrupted. Send the file again.');
}
