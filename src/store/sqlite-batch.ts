import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { selectWhere, upsertOne } from './statements.js';
import { StoreUnavailable } from './store-unavailable.js';
import {
  decodeRow,
  declines,
  encodeValues,
  events,
  idempotencyKeys,
  operations,
  payments,
  references,
  sessions,
  timeline,
  type StoredRow,
  type StoredValue,
  type Table,
} from './tables.js';
import type { BatchExecutor, Changes, Job, JobOutcome, Snapshot, Wanted } from './write-seam.js';

/** Extended result codes share their primary code in the low byte. */
const PRIMARY_CODE = 0xff;
/** busy, locked, no memory, read-only, I/O error, corrupt, full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

function asUnavailable(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  return typeof code === 'number' && UNAVAILABLE.has(code & PRIMARY_CODE)
    ? new StoreUnavailable(`the embedded store answered with code ${code}`)
    : error;
}

/** Writes batches into the embedded store: one transaction and one fsync a batch, begun and ended without an await. */
export class SqliteBatch implements BatchExecutor {
  readonly concurrency = 1;
  private readonly statements = new Map<string, StatementSync>();
  private readonly puts = new Map<object, StatementSync>();

  constructor(private readonly database: DatabaseSync) {}

  execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    try {
      return Promise.resolve(this.transaction(jobs));
    } catch (error) {
      const reason = asUnavailable(error) as Error;
      return Promise.reject(reason);
    }
  }

  private transaction(jobs: readonly Job[]): JobOutcome[] {
    this.database.exec('begin immediate');
    try {
      const outcomes = jobs.map((job) => this.one(job));
      this.database.exec('commit');
      return outcomes;
    } catch (error) {
      // A failed commit may have rolled back by itself already.
      if (this.database.isTransaction) this.database.exec('rollback');
      throw error;
    }
  }

  private one(job: Job): JobOutcome {
    const snapshot = this.load(job.wanted);
    if (!snapshot)
      return { kind: 'refused', error: new Error('A write names a reference that was never made') };
    let decision;
    try {
      decision = job.decide(snapshot);
    } catch (error) {
      return { kind: 'refused', error };
    }
    this.save(decision.changes);
    return { kind: 'written', ...decision };
  }

  private load(wanted: Wanted): Snapshot | undefined {
    const found = this.first(references, 'reference = ?', wanted.reference);
    if (!found && !wanted.createReference) return undefined;
    const { sessionId, paymentId } = wanted;
    const idempotency =
      wanted.idempotency &&
      this.first(idempotencyKeys, 'scope = ? and key = ?', wanted.idempotency.scope, wanted.idempotency.key);
    return {
      reference: found ?? {
        reference: wanted.reference,
        attempts: 0,
        livePaymentIds: [],
        paidPaymentIds: [],
        sessionId: null,
      },
      session: sessionId === undefined ? undefined : this.first(sessions, 'id = ?', sessionId),
      payment: paymentId === undefined ? undefined : this.first(payments, 'id = ?', paymentId),
      openOperations:
        paymentId === undefined
          ? []
          : this.all(
              operations,
              "payment_id = ? and status in ('intended', 'unknown') order by created_at",
              paymentId,
            ),
      idempotency,
      keyedOperation:
        idempotency?.operationId == null
          ? undefined
          : this.first(operations, 'id = ?', idempotency.operationId),
    };
  }

  private save(changes: Changes): void {
    if (changes.releaseIdempotency) {
      const { scope, key } = changes.releaseIdempotency;
      this.statement('delete from idempotency_keys where scope = ? and key = ?').run(scope, key);
    }
    if (changes.idempotency) this.put(idempotencyKeys, changes.idempotency);
    if (changes.reference) this.put(references, changes.reference);
    if (changes.session) this.put(sessions, changes.session);
    if (changes.payment) this.put(payments, changes.payment);
    for (const operation of changes.operations ?? []) this.put(operations, operation);
    for (const entry of changes.timeline ?? []) this.put(timeline, entry);
    for (const event of changes.events ?? []) this.put(events, event);
    for (const decline of changes.declines ?? []) this.put(declines, decline);
  }

  private first<R>(table: Table<R>, condition: string, ...values: StoredValue[]): R | undefined {
    const row = this.statement(selectWhere(table, condition)).get(...values);
    return row && decodeRow(table, row as StoredRow);
  }

  private all<R>(table: Table<R>, condition: string, ...values: StoredValue[]): R[] {
    return this.statement(selectWhere(table, condition))
      .all(...values)
      .map((row) => decodeRow(table, row as StoredRow));
  }

  private put<R>(table: Table<R>, record: R): void {
    let statement = this.puts.get(table);
    if (!statement) {
      statement = this.database.prepare(upsertOne(table));
      this.puts.set(table, statement);
    }
    statement.run(...encodeValues(table, record));
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
