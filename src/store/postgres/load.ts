import type { PoolClient } from 'pg';
import { countOnPostgres } from '../count-declines.js';
import { payOperationId } from '../ids.js';
import {
  decodePayment,
  openOperationsOf,
  paymentRows,
  payOperation,
  type StoredPayment,
} from '../payment-row.js';
import type { Changes, DeclineCounts, Job, PaidBeside, Snapshot, Wanted } from '../payment-writer.js';
import type { IdempotencyRecord, OperationRecord, ReferenceRecord, SessionRecord } from '../schema.js';
import { selectWhere } from '../statements.js';
import {
  decodeRow,
  idempotencyKeys,
  operations,
  references,
  sessions,
  type StoredRow,
  type Table,
} from '../tables.js';

/** A snapshot, and what it rests on. */
export interface Loaded {
  snapshot: Snapshot;
  /** The version of the reference's row; undefined: there is none yet. */
  version: number | undefined;
  /** The payments of the snapshot as they stand in their rows. */
  stored: readonly StoredPayment[];
}

/** A decided write: what it changes, and what it was decided on. */
export interface Write {
  changes: Changes;
  loaded: Loaded;
}

const OPEN_OPERATIONS = "payment_id = any($1) and status in ('intended', 'unknown') order by created_at";
const BY_SCOPE_AND_KEY = '(scope, key) in (select * from unnest($1::text[], $2::text[]))';
const SESSIONS_BESIDE = 'id in (select session_id from payments where id = any($1))';

/** The rows of the references, with their versions. */
const REFERENCES = selectWhere(references, 'reference = any($1) order by reference').replace(
  'select ',
  'select version, ',
);

interface VersionedReference {
  version: number;
  reference: ReferenceRecord;
}

/**
 * Reads what jobs want, in their order; undefined for one whose reference was never made. All questions are sent together, in
 * a transaction that the caller has begun: with one view of the store, or with `lock` on its references.
 */
export async function load(
  client: PoolClient,
  jobs: readonly Job[],
  lock: boolean,
): Promise<(Loaded | undefined)[]> {
  const names = jobs.map(({ wanted }) => wanted.reference);
  const sessionIds = jobs.flatMap(({ wanted }) => wanted.sessionId ?? []);
  const paymentIds = jobs.flatMap(({ wanted }) => wanted.paymentId ?? []);
  const keys = jobs.flatMap(({ wanted }) => wanted.idempotency ?? []);
  const [foundReferences, foundSessions, foundPayments, foundOperations, foundKeys, counts] =
    await Promise.all([
      readReferences(client, names, lock),
      rows(client, sessions, 'sessions', 'id = any($1)', [sessionIds]),
      readPayments(client, paymentIds),
      rows(client, operations, 'operations', OPEN_OPERATIONS, [paymentIds]),
      rows(client, idempotencyKeys, 'keys', BY_SCOPE_AND_KEY, [
        keys.map(({ scope }) => scope),
        keys.map(({ key }) => key),
      ]),
      countDeclines(client, jobs),
    ]);
  const besideIds = jobs.flatMap(({ wanted }) => {
    const { paid, live } = idsBeside(wanted, foundReferences.get(wanted.reference));
    return [...paid, ...live];
  });
  const [keyedOperations, besidePayments, besideSessions, besideOperations] = await Promise.all([
    readKeyedOperations(client, foundKeys),
    readPayments(client, besideIds),
    rows(client, sessions, 'sessions-beside', SESSIONS_BESIDE, [besideIds]),
    rows(client, operations, 'operations', OPEN_OPERATIONS, [besideIds]),
  ]);
  return jobs.map((job) => {
    const { wanted } = job;
    const found = foundReferences.get(wanted.reference);
    if (!found && !wanted.createReference) return undefined;
    const { paymentId, idempotency: asked } = wanted;
    const stored = paymentId === undefined ? undefined : foundPayments.get(paymentId);
    const ids = idsBeside(wanted, found);
    const [paid, live] = [ids.paid, ids.live].map((some) =>
      some.flatMap((id) => besidePayments.get(id) ?? []),
    );
    const key = asked && foundKeys.find((row) => row.scope === asked.scope && row.key === asked.key);
    const declines = counts.get(job);
    const snapshot: Snapshot = {
      reference: found?.reference ?? unmade(wanted.reference),
      session: foundSessions.find(({ id }) => id === wanted.sessionId),
      payment: stored?.payment,
      openOperations: openOperationsOf(stored, ofPayment(foundOperations, paymentId)),
      paidBeside: assemble(paid, besideSessions, besideOperations),
      liveBeside: assemble(live, besideSessions, besideOperations),
      idempotency: key,
      keyedOperation: keyedOperations.find(({ id }) => id === key?.operationId),
      ...(declines && { declines }),
    };
    return {
      snapshot,
      version: found?.version,
      stored: [...(stored ? [stored] : []), ...(paid ?? []), ...(live ?? [])],
    };
  });
}

function unmade(reference: string): ReferenceRecord {
  return { reference, attempts: 0, livePaymentIds: [], paidPaymentIds: [], sessionId: null };
}

async function readReferences(
  client: PoolClient,
  names: readonly string[],
  lock: boolean,
): Promise<Map<string, VersionedReference>> {
  const query = lock
    ? { name: 'lock-references', text: `${REFERENCES} for update` }
    : { name: 'load-references', text: REFERENCES };
  const { rows: found } = await client.query<StoredRow>({ ...query, values: [names] });
  return new Map(
    found.map((row) => {
      const reference = decodeRow(references, row);
      return [reference.reference, { reference, version: Number(row['version']) }];
    }),
  );
}

async function readPayments(client: PoolClient, ids: readonly string[]): Promise<Map<string, StoredPayment>> {
  if (ids.length === 0) return new Map();
  const { rows: found } = await client.query<StoredRow>({
    name: 'load-payments',
    text: selectWhere(paymentRows, 'id = any($1)'),
    values: [ids],
  });
  return new Map(found.map((row) => [String(row['id']), decodePayment(row)]));
}

/** The operations that idempotency keys name: those that began their payments stand in the payments' rows. */
async function readKeyedOperations(
  client: PoolClient,
  keys: readonly IdempotencyRecord[],
): Promise<OperationRecord[]> {
  const named = keys.flatMap(({ paymentId, operationId }) =>
    paymentId === null || operationId === null ? [] : [{ paymentId, operationId }],
  );
  const [begun, others] = [
    named.filter(({ paymentId, operationId }) => operationId === payOperationId(paymentId)),
    named.filter(({ paymentId, operationId }) => operationId !== payOperationId(paymentId)),
  ];
  const [stored, found] = await Promise.all([
    readPayments(
      client,
      begun.map(({ paymentId }) => paymentId),
    ),
    rows(
      client,
      operations,
      'keyed-operations',
      '(payment_id, id) in (select * from unnest($1::text[], $2::text[]))',
      [others.map(({ paymentId }) => paymentId), others.map(({ operationId }) => operationId)],
    ),
  ]);
  return [...[...stored.values()].flatMap((payment) => payOperation(payment) ?? []), ...found];
}

/** Counts declines with one query for all jobs that ask. */
async function countDeclines(client: PoolClient, jobs: readonly Job[]): Promise<Map<Job, DeclineCounts>> {
  const asking = jobs.flatMap((job) => (job.wanted.declines ? [{ job, asked: job.wanted.declines }] : []));
  const counts = await countOnPostgres(
    client,
    asking.map(({ asked }) => asked),
  );
  return new Map(counts.flatMap((counted, index) => (asking[index] ? [[asking[index].job, counted]] : [])));
}

/** The other paid and live payments of the reference of a write that is about a payment. */
function idsBeside(
  { paymentId }: Wanted,
  found: VersionedReference | undefined,
): { paid: string[]; live: string[] } {
  const others = (ids: readonly string[] = []): string[] =>
    paymentId === undefined ? [] : ids.filter((id) => id !== paymentId);
  return { paid: others(found?.reference.paidPaymentIds), live: others(found?.reference.livePaymentIds) };
}

function ofPayment(found: readonly OperationRecord[], paymentId: string | undefined): OperationRecord[] {
  return found.filter((row) => row.paymentId === paymentId);
}

function assemble(
  beside: readonly StoredPayment[] = [],
  foundSessions: readonly SessionRecord[],
  foundOperations: readonly OperationRecord[],
): PaidBeside[] {
  return beside.flatMap((stored) => {
    const { payment } = stored;
    const session = foundSessions.find((row) => row.id === payment.sessionId);
    if (!session) return [];
    const openOperations = openOperationsOf(stored, ofPayment(foundOperations, payment.id));
    return [{ payment, session, openOperations }];
  });
}

async function rows<R>(
  client: PoolClient,
  table: Table<R>,
  name: string,
  condition: string,
  values: readonly unknown[][],
): Promise<R[]> {
  if (values[0]?.length === 0) return [];
  const { rows: found } = await client.query<StoredRow>({
    name: `load-${name}`,
    text: selectWhere(table, condition),
    values: [...values],
  });
  return found.map((row) => decodeRow(table, row));
}
