import type { DatabaseSync } from 'node:sqlite';
import type { SqliteClock } from '../clock/sqlite-clock.js';
import { countOnSqlite } from '../count-declines.js';
import type { ReferenceRecord } from '../schema.js';
import { SqliteRows } from './rows.js';
import { asSqliteUnavailable } from './unavailable.js';
import {
  declines,
  events,
  idempotencyKeys,
  operations,
  payments,
  references,
  sessions,
  timeline,
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

const NEW_EVENT_BATCH = `insert into event_batches (position)
  select coalesce(max(position), 0) + 1 from event_batches returning id`;

/** Writes batches into the embedded store, each with one transaction and one fsync. A batch runs without an await. */
export class SqliteBatch implements BatchExecutor {
  readonly concurrency = 1;
  private readonly rows: SqliteRows;
  /** The batch of events of the transaction under way, and the number of its last event. */
  private eventBatch: { batch: number; ordinal: number } | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly clock: SqliteClock,
  ) {
    this.rows = new SqliteRows(database);
  }

  execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    try {
      return Promise.resolve(this.transaction(jobs));
    } catch (error) {
      const reason = asSqliteUnavailable(error) as Error;
      return Promise.reject(reason);
    }
  }

  private transaction(jobs: readonly Job[]): JobOutcome[] {
    this.eventBatch = undefined;
    this.database.exec('begin immediate');
    try {
      const outcomes = jobs.map((job) => this.one(job));
      this.clock.keep();
      this.database.exec('commit');
      return outcomes;
    } catch (error) {
      // A failed commit may have rolled back by itself already.
      if (this.database.isTransaction) this.database.exec('rollback');
      throw error;
    }
  }

  private one(job: Job): JobOutcome {
    const loaded = this.load(job.wanted);
    if (!loaded)
      return { kind: 'refused', error: new Error('A write names a reference that was never made') };
    const { snapshot, referenceIsNew } = loaded;
    let decision;
    try {
      decision = job.decide(snapshot);
    } catch (error) {
      return { kind: 'refused', error };
    }
    const { changes } = decision;
    this.save(changes, snapshot, referenceIsNew);
    return { kind: 'written', ...decision };
  }

  private load(wanted: Wanted): { snapshot: Snapshot; referenceIsNew: boolean } | undefined {
    const found = this.rows.first(references, 'reference = ?', wanted.reference);
    if (!found && !wanted.createReference) return undefined;
    return { snapshot: this.read(wanted, found), referenceIsNew: !found };
  }

  private read(wanted: Wanted, found?: ReferenceRecord): Snapshot {
    const { reference, sessionId, paymentId } = wanted;
    const { rows } = this;
    return {
      reference: found ?? {
        reference,
        attempts: 0,
        livePaymentIds: [],
        paidPaymentIds: [],
        sessionId: null,
      },
      session: sessionId === undefined ? undefined : rows.first(sessions, 'id = ?', sessionId),
      payment: paymentId === undefined ? undefined : rows.first(payments, 'id = ?', paymentId),
      openOperations: paymentId === undefined ? [] : rows.all(operations, OPEN_OPERATIONS, paymentId),
      paidBeside: paymentId === undefined || !found ? [] : this.readPaidBeside(found, paymentId),
      ...this.readKeys(wanted),
    };
  }

  private readPaidBeside({ paidPaymentIds }: ReferenceRecord, paymentId: string): PaidBeside[] {
    const { rows } = this;
    return paidPaymentIds.flatMap((id) => {
      const payment = id === paymentId ? undefined : rows.first(payments, 'id = ?', id);
      const session = payment && rows.first(sessions, 'id = ?', payment.sessionId);
      if (!session) return [];
      return [{ payment, session, openOperations: rows.all(operations, OPEN_OPERATIONS, id) }];
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
      keyedOperation:
        key?.operationId == null
          ? undefined
          : rows.first(operations, 'payment_id = ? and id = ?', key.paymentId, key.operationId),
      ...(wanted && { declines: countOnSqlite(rows, wanted, this.clock.now()) }),
    };
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

  private save(changes: Changes, before: Snapshot, referenceIsNew: boolean): void {
    const { rows } = this;
    const { reference, session, payment, idempotency } = changes;
    if (changes.releaseIdempotency) {
      const { scope, key } = changes.releaseIdempotency;
      rows.statement('delete from idempotency_keys where scope = ? and key = ?').run(scope, key);
    }
    if (idempotency) rows.put(idempotencyKeys, idempotency, before.idempotency);
    if (reference) rows.put(references, reference, referenceIsNew ? undefined : before.reference);
    if (session) rows.put(sessions, session, same(session, before.session));
    if (payment) rows.put(payments, payment, same(payment, before.payment));
    this.saveBeside(changes.beside, before.paidBeside);
    for (const operation of changes.operations ?? []) {
      rows.put(
        operations,
        operation,
        before.openOperations.find(({ id }) => id === operation.id),
      );
    }
    for (const entry of changes.timeline ?? []) rows.put(timeline, entry);
    for (const event of changes.events ?? []) rows.put(events, { ...event, ...this.nextPlace() });
    if (changes.forgiveDecline !== undefined)
      rows.statement('delete from declines where id = ?').run(changes.forgiveDecline);
    for (const decline of changes.declines ?? []) rows.put(declines, { ...decline, at: this.clock.now() });
  }

  private saveBeside(beside: Changes['beside'], before: readonly PaidBeside[]): void {
    for (const payment of beside?.payments ?? []) {
      this.rows.put(payments, payment, before.find((read) => read.payment.id === payment.id)?.payment);
    }
    const session = beside?.session;
    if (!session) return;
    this.rows.put(sessions, session, before.find((read) => read.session.id === session.id)?.session);
  }
}

/** The row that was read, if it is the same one. */
function same<R extends { id: string }>(written: R, read: R | undefined): R | undefined {
  return read?.id === written.id ? read : undefined;
}
