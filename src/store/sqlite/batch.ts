import type { DatabaseSync } from 'node:sqlite';
import type { SqliteClock } from '../clock/sqlite-clock.js';
import { countOnSqlite } from '../count-declines.js';
import {
  decodePayment,
  openOperationsOf,
  ownRows,
  paymentRow,
  paymentRows,
  payOperation,
  rowBefore,
  writtenPayments,
  type PaymentRow,
  type StoredPayment,
} from '../payment-row.js';
import { payOperationId } from '../ids.js';
import type { IdempotencyRecord, OperationRecord, PaymentRecord } from '../schema.js';
import { selectWhere } from '../statements.js';
import { timelineChange } from '../timeline-lines.js';
import type { WriteWatch } from './connection.js';
import { KnownRows } from '../known-rows.js';
import { SqliteRows } from './rows.js';
import { asSqliteUnavailable } from './unavailable.js';
import {
  declines,
  events,
  idempotencyKeys,
  operations,
  references,
  sessions,
  timelinePages,
  type StoredRow,
  type Table,
} from '../tables.js';
import type {
  BatchExecutor,
  Changes,
  Job,
  JobOutcome,
  PaidBeside,
  Snapshot,
  Wanted,
} from '../payment-writer.js';

const OPEN_OPERATIONS = "payment_id = ? and status in ('intended', 'unknown') order by created_at";

const TIMELINE = 'select timeline from payments where id = ?';
const PAYMENT = selectWhere(paymentRows, 'id = ?');

/** A payment's whole row, for the write that makes it. */
const newPayments: Table<PaymentRow & { timeline: string }> = {
  ...paymentRows,
  columns: { ...paymentRows.columns, timeline: 'text' },
};

/** A snapshot, and what was read for it as it stands in the rows. */
interface Loaded {
  readonly snapshot: Snapshot;
  readonly referenceIsNew: boolean;
  readonly stored: readonly StoredPayment[];
}

/** A write of the transaction under way. */
interface Write {
  readonly changes: Changes;
  readonly loaded: Loaded;
}

const NEW_EVENT_BATCH = `insert into event_batches (position)
  select coalesce(max(position), 0) + 1 from event_batches returning id`;

/** Writes batches into the embedded store, each with one transaction and one fsync. A batch runs without an await. */
export class SqliteBatch implements BatchExecutor {
  readonly concurrency = 1;
  readonly blocks = true;
  private readonly rows: SqliteRows;
  private readonly known = new KnownRows<Loaded>();
  /** Another one where any other connection has written since. */
  private othersVersion = 0;
  /** The batch of events of the transaction under way, and the number of its last event. */
  private eventBatch: { batch: number; ordinal: number } | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly clock: SqliteClock,
    private readonly watch: WriteWatch = {},
  ) {
    this.rows = new SqliteRows(database);
  }

  /** To be called where this connection may change payments, their sessions, references or operations beside the batches. */
  forget(): void {
    this.known.forget();
  }

  execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    try {
      this.watch.before?.();
      const outcomes = this.transaction(jobs);
      this.watch.after?.();
      return Promise.resolve(outcomes);
    } catch (error) {
      this.watch.failed?.();
      const reason = asSqliteUnavailable(error) as Error;
      return Promise.reject(reason);
    }
  }

  private transaction(jobs: readonly Job[]): JobOutcome[] {
    this.eventBatch = undefined;
    const writes: Write[] = [];
    this.database.exec('begin immediate');
    try {
      this.forgetIfOthersWrote();
      const outcomes = jobs.map((job) => this.one(job, writes));
      this.clock.keep();
      this.database.exec('commit');
      this.clock.committed();
      for (const { changes, loaded } of writes)
        this.known.put(changes, loaded, (rows) => ({ ...rows, referenceIsNew: false }));
      return outcomes;
    } catch (error) {
      // A failed commit may have rolled back by itself already.
      if (this.database.isTransaction) this.database.exec('rollback');
      throw error;
    }
  }

  /** No other process uses the store, but a person may write into it by hand. */
  private forgetIfOthersWrote(): void {
    const version = Number(this.rows.statement('pragma data_version').get()?.['data_version']);
    if (version !== this.othersVersion) this.known.forget();
    this.othersVersion = version;
  }

  private one(job: Job, writes: Write[]): JobOutcome {
    const loaded = this.known.take(job.wanted) ?? this.load(job.wanted);
    if (!loaded)
      return { kind: 'refused', error: new Error('A write names a reference that was never made') };
    let decision;
    try {
      decision = job.decide(loaded.snapshot);
    } catch (error) {
      return { kind: 'refused', error };
    }
    this.save(decision.changes, loaded);
    writes.push({ changes: decision.changes, loaded });
    return { kind: 'written', ...decision };
  }

  private load(wanted: Wanted): Loaded | undefined {
    const { rows } = this;
    const { reference, sessionId, paymentId } = wanted;
    const found = rows.first(references, 'reference = ?', reference);
    if (!found && !wanted.createReference) return undefined;
    const payment = paymentId === undefined ? undefined : this.payment(paymentId);
    const [paid, live] = [found?.paidPaymentIds ?? [], found?.livePaymentIds ?? []].map((ids) =>
      paymentId === undefined ? [] : this.readBeside(ids, paymentId),
    );
    const snapshot: Snapshot = {
      reference: found ?? {
        reference,
        attempts: 0,
        livePaymentIds: [],
        paidPaymentIds: [],
        sessionId: null,
      },
      session: sessionId === undefined ? undefined : rows.first(sessions, 'id = ?', sessionId),
      payment: payment?.payment,
      openOperations: paymentId === undefined ? [] : this.openOperations(paymentId, payment),
      paidBeside: (paid ?? []).map(({ one }) => one),
      liveBeside: (live ?? []).map(({ one }) => one),
      ...this.readKeys(wanted),
    };
    const stored = [...(paid ?? []), ...(live ?? [])].map((beside) => beside.stored);
    return { snapshot, referenceIsNew: !found, stored: payment ? [payment, ...stored] : stored };
  }

  private payment(id: string): StoredPayment | undefined {
    const row = this.rows.statement(PAYMENT).get(id);
    return row && decodePayment(row as StoredRow);
  }

  private openOperations(paymentId: string, stored: StoredPayment | undefined): OperationRecord[] {
    return openOperationsOf(stored, this.rows.all(operations, OPEN_OPERATIONS, paymentId));
  }

  private readBeside(
    ids: readonly string[],
    paymentId: string,
  ): { one: PaidBeside; stored: StoredPayment }[] {
    return ids.flatMap((id) => {
      const stored = id === paymentId ? undefined : this.payment(id);
      const session = stored && this.rows.first(sessions, 'id = ?', stored.payment.sessionId);
      if (!session) return [];
      const openOperations = this.openOperations(id, stored);
      return [{ stored, one: { payment: stored.payment, session, openOperations } }];
    });
  }

  private readKeys({
    idempotency,
    declines: wanted,
  }: Wanted): Pick<Snapshot, 'idempotency' | 'keyedOperation' | 'declines'> {
    const { rows } = this;
    const key =
      idempotency && rows.first(idempotencyKeys, 'scope = ? and key = ?', idempotency.scope, idempotency.key);
    return {
      idempotency: key,
      keyedOperation: key && this.keyedOperation(key),
      ...(wanted && { declines: countOnSqlite(rows, wanted, this.clock.now()) }),
    };
  }

  private keyedOperation({ paymentId, operationId }: IdempotencyRecord): OperationRecord | undefined {
    if (paymentId === null || operationId === null) return undefined;
    if (operationId === payOperationId(paymentId)) {
      const stored = this.payment(paymentId);
      return stored && payOperation(stored);
    }
    return this.rows.first(operations, 'payment_id = ? and id = ?', paymentId, operationId);
  }

  /** Commits happen one after the other here, so the events of one get their place while they are written. */
  private nextPlace(): { batch: number; ordinal: number } {
    this.eventBatch ??= {
      batch: Number(this.rows.statement(NEW_EVENT_BATCH).get()?.['id']),
      ordinal: 0,
    };
    this.eventBatch.ordinal += 1;
    return this.eventBatch;
  }

  private save(changes: Changes, { snapshot: before, referenceIsNew, stored }: Loaded): void {
    const { rows } = this;
    const { reference, session, beside, idempotency } = changes;
    if (changes.releaseIdempotency) {
      const { scope, key } = changes.releaseIdempotency;
      rows.statement('delete from idempotency_keys where scope = ? and key = ?').run(scope, key);
    }
    if (idempotency) rows.put(idempotencyKeys, idempotency, before.idempotency);
    if (reference) rows.put(references, reference, referenceIsNew ? undefined : before.reference);
    if (session) rows.put(sessions, session, same(session, before.session));
    if (beside?.session) {
      const { id } = beside.session;
      rows.put(sessions, beside.session, before.paidBeside.find((read) => read.session.id === id)?.session);
    }
    for (const payment of writtenPayments(changes)) {
      this.savePayment(
        payment,
        changes,
        stored.find((one) => one.payment.id === payment.id),
      );
    }
    for (const operation of ownRows(changes.operations)) {
      rows.put(
        operations,
        operation,
        before.openOperations.find(({ id }) => id === operation.id),
      );
    }
    for (const event of changes.events ?? []) rows.put(events, { ...event, ...this.nextPlace() });
    if (changes.forgiveDecline !== undefined)
      rows.statement('delete from declines where id = ?').run(changes.forgiveDecline);
    for (const decline of changes.declines ?? []) rows.put(declines, { ...decline, at: this.clock.now() });
  }

  private savePayment(payment: PaymentRecord, changes: Changes, before: StoredPayment | undefined): void {
    const { rows } = this;
    const row = paymentRow(payment, changes.operations, before);
    const entered = timelineChange(payment, changes.timeline, before?.payment);
    if (!before) {
      rows.put(newPayments, { ...row, timeline: entered?.lines ?? '' });
      return;
    }
    if (!entered) {
      rows.put(paymentRows, row, rowBefore(before));
      return;
    }
    const { lines, pageUpTo } = entered;
    if (pageUpTo !== undefined) {
      const entries = String(rows.statement(TIMELINE).get(payment.id)?.['timeline']);
      rows.put(timelinePages, { paymentId: payment.id, lastSequence: pageUpTo, entries });
    }
    const set = pageUpTo === undefined ? 'timeline = timeline || ?' : 'timeline = ?';
    rows.put(paymentRows, row, rowBefore(before), { set, value: lines });
  }
}

/** The row that was read, if it is the same one. */
function same<R extends { id: string }>(written: R, read: R | undefined): R | undefined {
  return read?.id === written.id ? read : undefined;
}
