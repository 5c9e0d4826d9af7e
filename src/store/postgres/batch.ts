import type { Pool, PoolClient } from 'pg';
import type { PostgresClock } from '../clock/postgres-clock.js';
import { countOnPostgres, POSTGRES_NOW } from '../count-declines.js';
import { selectWhere, upsertMany } from '../statements.js';
import { asPostgresUnavailable } from './unavailable.js';
import {
  decodeRow,
  declines,
  encodeRow,
  events,
  idempotencyKeys,
  operations,
  payments,
  references,
  sessions,
  timeline,
  type StoredRow,
  type Table,
} from '../tables.js';
import type {
  IdempotencyRecord,
  OperationRecord,
  PaymentRecord,
  ReferenceRecord,
  SessionRecord,
} from '../schema.js';
import type {
  BatchExecutor,
  Changes,
  DeclineCounts,
  Job,
  JobOutcome,
  PaidBeside,
  Snapshot,
  Wanted,
} from '../payment-writer.js';

/** Serialization failure and deadlock. */
const REPEATABLE = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
const KEYS_CONSTRAINT = 'idempotency_keys_pkey';

/**
 * Whether the transaction did nothing and can simply be repeated. Then it sees a key that another process has written
 * meanwhile.
 */
function mayRunAgain(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return REPEATABLE.has(code ?? '') || (code === UNIQUE_VIOLATION && constraint === KEYS_CONSTRAINT);
}

const OPEN_OPERATIONS = "payment_id = any($1) and status in ('intended', 'unknown') order by created_at";

const SESSIONS_BESIDE = 'id in (select session_id from payments where id = any($1))';

/** Its position is given after the commit: see the sequencer of the merchant's events. */
const NEW_EVENT_BATCH =
  'new_event_batch as (insert into event_batches (position) values (null) returning id)';

type Loaded = Omit<Snapshot, 'reference'> & { reference: Snapshot['reference'] | undefined };

/**
 * Writes batches into PostgreSQL. The references of a batch are locked in one order, everything is read and written
 * with one statement for each table, and one commit ends it. Statements that need no earlier answer are sent together:
 * the server runs them in order, and an error makes all after it fail, the commit included.
 */
export class PostgresBatch implements BatchExecutor {
  readonly concurrency = 2;
  private readonly saveNames = new Map<string, string>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: PostgresClock,
  ) {}

  async execute(jobs: readonly Job[]): Promise<JobOutcome[]> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw asPostgresUnavailable(error);
    }
    let broken = true;
    try {
      const outcomes = await this.transaction(client, jobs);
      broken = false;
      return outcomes;
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      if (mayRunAgain(error)) return jobs.map(() => ({ kind: 'again' }));
      throw asPostgresUnavailable(error);
    } finally {
      client.release(broken);
    }
  }

  private async transaction(client: PoolClient, jobs: readonly Job[]): Promise<JobOutcome[]> {
    const snapshots = await this.load(client, jobs);
    const outcomes = jobs.map((job, index): JobOutcome => {
      const { reference, ...rest } = snapshots[index] as Loaded;
      if (!reference)
        return { kind: 'refused', error: new Error('A write names a reference that was never made') };
      try {
        return { kind: 'written', ...job.decide({ reference, ...rest }) };
      } catch (error) {
        return { kind: 'refused', error };
      }
    });
    await Promise.all([...this.save(client, outcomes, snapshots), client.query('commit')]);
    return outcomes;
  }

  private async load(client: PoolClient, jobs: readonly Job[]): Promise<Loaded[]> {
    const names = jobs.map((job) => job.wanted.reference);
    const created = jobs.filter((job) => job.wanted.createReference).map((job) => job.wanted.reference);
    const sessionIds = jobs.flatMap((job) => job.wanted.sessionId ?? []);
    const paymentIds = jobs.flatMap((job) => job.wanted.paymentId ?? []);
    const keys = jobs.flatMap((job) => job.wanted.idempotency ?? []);
    const locks = 'reference = any($1) order by reference for update';
    const [locked, foundSessions, foundPayments, foundOperations, foundKeys, counts] = await together(
      [this.clock.beginTransaction(client), ...makeReferences(client, created)],
      this.rows(client, references, 'lock-references', locks, [names]),
      this.rows(client, sessions, 'sessions', 'id = any($1)', [sessionIds]),
      this.rows(client, payments, 'payments', 'id = any($1)', [paymentIds]),
      this.rows(client, operations, 'operations', OPEN_OPERATIONS, [paymentIds]),
      this.rows(
        client,
        idempotencyKeys,
        'keys',
        '(scope, key) in (select * from unnest($1::text[], $2::text[]))',
        [keys.map((key) => key.scope), keys.map((key) => key.key)],
      ),
      this.countDeclines(client, jobs),
    );
    const keyed = foundKeys.filter((row) => row.operationId !== null);
    const besideIds = jobs.flatMap(({ wanted }) => paidBesideIds(wanted, locked));
    const [keyedOperations, ...paidBeside] = await Promise.all([
      this.rows(
        client,
        operations,
        'keyed-operations',
        '(payment_id, id) in (select * from unnest($1::text[], $2::text[]))',
        [keyed.map((row) => row.paymentId), keyed.map((row) => row.operationId)],
      ),
      this.rows(client, payments, 'payments', 'id = any($1)', [besideIds]),
      this.rows(client, sessions, 'sessions-beside', SESSIONS_BESIDE, [besideIds]),
      this.rows(client, operations, 'operations', OPEN_OPERATIONS, [besideIds]),
    ]);
    return jobs.map((job) => {
      const { wanted } = job;
      const declineCounts = counts.get(job);
      const idempotency =
        wanted.idempotency &&
        foundKeys.find(
          (row) => row.scope === wanted.idempotency?.scope && row.key === wanted.idempotency.key,
        );
      return {
        reference: locked.find((row) => row.reference === wanted.reference),
        session: foundSessions.find((row) => row.id === wanted.sessionId),
        payment: foundPayments.find((row) => row.id === wanted.paymentId),
        openOperations: foundOperations.filter((row) => row.paymentId === wanted.paymentId),
        paidBeside: assemble(paidBesideIds(wanted, locked), ...paidBeside),
        idempotency,
        keyedOperation: keyedOperations.find((row) => row.id === idempotency?.operationId),
        ...(declineCounts && { declines: declineCounts }),
      };
    });
  }

  /** Counts declines with one query for all jobs that ask. */
  private async countDeclines(client: PoolClient, jobs: readonly Job[]): Promise<Map<Job, DeclineCounts>> {
    const asking = jobs.flatMap((job) => (job.wanted.declines ? [{ job, asked: job.wanted.declines }] : []));
    const counts = await countOnPostgres(
      client,
      asking.map(({ asked }) => asked),
    );
    return new Map(counts.flatMap((counted, index) => (asking[index] ? [[asking[index].job, counted]] : [])));
  }

  /** Writes all changes with one statement, whatever the number of tables and rows. It is sent when this returns. */
  private save(
    client: PoolClient,
    outcomes: readonly JobOutcome[],
    snapshots: readonly Loaded[],
  ): Promise<unknown>[] {
    const changes: Changes[] = [];
    const newKeys: IdempotencyRecord[] = [];
    const knownKeys: IdempotencyRecord[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'written') continue;
      changes.push(outcome.changes);
      const { idempotency } = outcome.changes;
      if (idempotency) (snapshots[index]?.idempotency ? knownKeys : newKeys).push(idempotency);
    }
    // Sorted, because two processes may insert the same keys under different references.
    newKeys.sort((a, b) => (a.scope + a.key < b.scope + b.key ? -1 : 1));
    const sent: Promise<unknown>[] = [];
    const released = changes.flatMap((change) => change.releaseIdempotency ?? []);
    if (released.length > 0) {
      sent.push(
        client.query(
          'delete from idempotency_keys where (scope, key) in (select * from unnest($1::text[], $2::text[]))',
          [released.map((key) => key.scope), released.map((key) => key.key)],
        ),
      );
    }
    const forgiven = changes.flatMap((change) => change.forgiveDecline ?? []);
    if (forgiven.length > 0) {
      sent.push(client.query('delete from declines where id = any($1)', [forgiven]));
    }
    const parts: string[] = [];
    const values: string[] = [];
    const add = <R>(
      table: Table<R>,
      records: R[],
      conflict?: string,
      computed?: Readonly<Record<string, string>>,
    ): void => {
      if (records.length === 0) return;
      values.push(JSON.stringify(records.map((record) => encodeRow(table, record))));
      parts.push(`part_${values.length} as (${upsertMany(table, values.length, conflict, computed)})`);
    };
    // If another process has written one of them since it was read, the whole batch runs again.
    add(idempotencyKeys, newKeys, '');
    add(idempotencyKeys, knownKeys);
    add(
      references,
      changes.flatMap((change) => change.reference ?? []),
    );
    add(
      sessions,
      changes.flatMap(({ session, beside }) => [session ?? [], beside?.session ?? []].flat()),
    );
    add(
      payments,
      changes.flatMap(({ payment, beside }) => [payment ?? [], beside?.payments ?? []].flat()),
    );
    add(
      operations,
      changes.flatMap((change) => change.operations ?? []),
    );
    add(
      timeline,
      changes.flatMap((change) => change.timeline ?? []),
    );
    const announced = changes.flatMap((change) => change.events ?? []);
    if (announced.length > 0) parts.push(NEW_EVENT_BATCH);
    add(
      events,
      announced.map((event, index) => ({ ...event, ordinal: index + 1 })),
      undefined,
      { batch: '(select id from new_event_batch)' },
    );
    add(
      declines,
      changes.flatMap((change) => (change.declines ?? []).map((decline) => ({ ...decline, at: 0 }))),
      undefined,
      { at: POSTGRES_NOW },
    );
    if (parts.length > 0) {
      const text = `with ${parts.join(', ')} select 1`;
      sent.push(client.query({ name: this.saveName(text), text, values }));
    }
    return sent;
  }

  /** Prepared statements have names: one for each combination of tables that a batch can write. */
  private saveName(text: string): string {
    let name = this.saveNames.get(text);
    if (name === undefined) {
      name = `save-${this.saveNames.size}`;
      this.saveNames.set(text, name);
    }
    return name;
  }

  private async rows<R>(
    client: PoolClient,
    table: Table<R>,
    name: string,
    condition: string,
    values: unknown[][],
  ): Promise<R[]> {
    if (values[0]?.length === 0) return [];
    const { rows } = await client.query<StoredRow>({
      name: `load-${name}`,
      text: selectWhere(table, condition),
      values,
    });
    return rows.map((row) => decodeRow(table, row));
  }
}

/** The other paid payments of the reference of a write that is about a payment. */
function paidBesideIds({ reference, paymentId }: Wanted, locked: readonly ReferenceRecord[]): string[] {
  if (paymentId === undefined) return [];
  const found = locked.find((row) => row.reference === reference);
  return (found?.paidPaymentIds ?? []).filter((id) => id !== paymentId);
}

function assemble(
  ids: readonly string[],
  foundPayments: readonly PaymentRecord[],
  foundSessions: readonly SessionRecord[],
  foundOperations: readonly OperationRecord[],
): PaidBeside[] {
  return ids.flatMap((id) => {
    const payment = foundPayments.find((row) => row.id === id);
    const session = foundSessions.find((row) => row.id === payment?.sessionId);
    if (!payment || !session) return [];
    return [{ payment, session, openOperations: foundOperations.filter((row) => row.paymentId === id) }];
  });
}

/** Inserts the rows of references that have none yet. */
function makeReferences(client: PoolClient, names: string[]): Promise<unknown>[] {
  if (names.length === 0) return [];
  return [
    client.query({
      name: 'make-references',
      text: `insert into payment_references (reference, attempts, live_payment_ids, paid_payment_ids)
             select unnest($1::text[]), 0, '[]', '[]' on conflict do nothing`,
      values: [names],
    }),
  ];
}

/** Waits for statements that were sent one after the other. The first one that failed gives the error. */
async function together<T extends unknown[]>(
  first: readonly Promise<unknown>[],
  ...rest: { [I in keyof T]: Promise<T[I]> }
): Promise<T> {
  const all = await Promise.all([...first, ...rest]);
  return all.slice(first.length) as T;
}
