import type { Loaded, Question, Reader } from './driver.js';
import { payOperationId } from './ids.js';
import { decodePayment, openOperationsOf, payOperation, type StoredPayment } from './payment-row.js';
import type { DeclineCounts, Job, PaidBeside, Snapshot, Wanted } from './payment-writer.js';
import {
  type ApprovalRecord,
  approvals,
  type IdempotencyRecord,
  idempotencyKeys,
  newReferenceRecord,
  type OperationRecord,
  operations,
  type PaymentRow,
  paymentRows,
  type ReferenceRecord,
  references,
  type SessionRecord,
  sessions,
  versionedReferences,
} from './schema.js';
import { decodeRow } from './table.js';

const REFERENCES: Question<ReferenceRecord & { version: number }> = {
  name: 'references',
  table: versionedReferences,
  where: (given) => `reference ${given(1)} order by reference`,
  locks: true,
};
const SESSIONS: Question<SessionRecord> = {
  name: 'sessions',
  table: sessions,
  where: (given) => `id ${given(1)}`,
};
const SESSIONS_BESIDE: Question<SessionRecord> = {
  name: 'sessions-beside',
  table: sessions,
  where: (given) => `id in (select session_id from payments where id ${given(1)})`,
};
const PAYMENTS: Question<PaymentRow> = {
  name: 'payments',
  table: paymentRows,
  where: (given) => `id ${given(1)}`,
};
const OPEN_OPERATIONS: Question<OperationRecord> = {
  name: 'operations',
  table: operations,
  where: (given) => `payment_id ${given(1)} and status in ('intended', 'unknown') order by created_at`,
};
const SETTLED_REFUNDS: Question<OperationRecord> = {
  name: 'settled-refunds',
  table: operations,
  where: (given) =>
    `payment_id ${given(1)} and type = 'refund' and status in ('confirmed', 'refused') order by created_at`,
};
const KEYED_OPERATIONS: Question<OperationRecord> = {
  name: 'keyed-operations',
  table: operations,
  where: (given) => `(payment_id, id) ${given(1)}`,
  pairs: true,
};
const KEYS: Question<IdempotencyRecord> = {
  name: 'keys',
  table: idempotencyKeys,
  where: (given) => `(scope, key) ${given(1)}`,
  pairs: true,
};

const APPROVALS: Question<ApprovalRecord> = {
  name: 'approvals',
  table: approvals,
  where: (given) => `id ${given(1)}`,
};
const APPROVALS_OF_PAYMENT: Question<ApprovalRecord> = {
  name: 'approvals-of-payment',
  table: approvals,
  where: (given) => `payment_id ${given(1)} order by id`,
};

interface VersionedReference {
  version: number;
  reference: ReferenceRecord;
}

/** Reads what jobs want, in their order; undefined for one whose reference was never made. */
export async function load(reader: Reader, jobs: readonly Job[]): Promise<(Loaded | undefined)[]> {
  const names = jobs.map(({ wanted }) => wanted.reference);
  const sessionIds = jobs.flatMap(({ wanted }) => wanted.sessionId ?? []);
  const paymentIds = jobs.flatMap(({ wanted }) => wanted.paymentId ?? []);
  const keys = jobs.flatMap(({ wanted }) => wanted.idempotency ?? []);
  const refunded = jobs.flatMap(({ wanted }) => (wanted.settledRefunds && wanted.paymentId) || []);
  const approvalIds = jobs.flatMap(({ wanted }) => wanted.approvalId ?? []);
  const approvedOf = jobs.flatMap(({ wanted }) => (wanted.approvalsOfPayment && wanted.paymentId) || []);
  const [
    foundReferences,
    foundSessions,
    foundPayments,
    foundOperations,
    foundRefunds,
    foundKeys,
    foundApprovals,
    foundOfPayments,
    counts,
  ] = await Promise.all([
    readReferences(reader, names),
    rows(reader, SESSIONS, sessionIds),
    readPayments(reader, paymentIds),
    rows(reader, OPEN_OPERATIONS, paymentIds),
    rows(reader, SETTLED_REFUNDS, refunded),
    rows(
      reader,
      KEYS,
      keys.map(({ scope }) => scope),
      keys.map(({ key }) => key),
    ),
    rows(reader, APPROVALS, approvalIds),
    rows(reader, APPROVALS_OF_PAYMENT, approvedOf),
    countDeclines(reader, jobs),
  ]);
  const besideIds = jobs.flatMap(({ wanted }) => {
    const { paid, live } = idsBeside(wanted, foundReferences.get(wanted.reference));
    return [...paid, ...live];
  });
  const [keyedOperations, besidePayments, besideSessions, besideOperations] = await Promise.all([
    readKeyedOperations(reader, foundKeys),
    readPayments(reader, besideIds),
    rows(reader, SESSIONS_BESIDE, besideIds),
    rows(reader, OPEN_OPERATIONS, besideIds),
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
    const approval = foundApprovals.find(({ id }) => id === wanted.approvalId);
    const declines = counts.get(job);
    const snapshot: Snapshot = {
      reference: found?.reference ?? newReferenceRecord(wanted.reference),
      session: foundSessions.find(({ id }) => id === wanted.sessionId),
      payment: stored?.payment,
      openOperations: openOperationsOf(stored, ofPayment(foundOperations, paymentId)),
      ...(wanted.settledRefunds && { settledRefunds: ofPayment(foundRefunds, paymentId) }),
      paidBeside: assemble(paid, besideSessions, besideOperations),
      liveBeside: assemble(live, besideSessions, besideOperations),
      idempotency: key,
      keyedOperation: keyedOperations.find(({ id }) => id === key?.operationId),
      ...(approval && { approval }),
      ...(wanted.approvalsOfPayment && {
        approvalsOfPayment: foundOfPayments.filter((row) => row.paymentId === paymentId),
      }),
      ...(declines && { declines }),
    };
    return {
      snapshot,
      version: found?.version,
      stored: [...(stored ? [stored] : []), ...(paid ?? []), ...(live ?? [])],
    };
  });
}

async function readReferences(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, VersionedReference>> {
  const found = await reader.rows(REFERENCES, names);
  return new Map(
    found.map((row) => {
      const reference = decodeRow(references, row);
      return [reference.reference, { reference, version: Number(row['version']) }];
    }),
  );
}

async function readPayments(reader: Reader, ids: readonly string[]): Promise<Map<string, StoredPayment>> {
  if (ids.length === 0) return new Map();
  const found = await reader.rows(PAYMENTS, ids);
  return new Map(found.map((row) => [String(row['id']), decodePayment(row)]));
}

/** The operations that idempotency keys name: those that began their payments stand in the payments' rows. */
async function readKeyedOperations(
  reader: Reader,
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
      reader,
      begun.map(({ paymentId }) => paymentId),
    ),
    rows(
      reader,
      KEYED_OPERATIONS,
      others.map(({ paymentId }) => paymentId),
      others.map(({ operationId }) => operationId),
    ),
  ]);
  return [...[...stored.values()].flatMap((payment) => payOperation(payment) ?? []), ...found];
}

/** Counts declines with one query for all jobs that ask. */
async function countDeclines(reader: Reader, jobs: readonly Job[]): Promise<Map<Job, DeclineCounts>> {
  const asking = jobs.flatMap((job) => (job.wanted.declines ? [{ job, asked: job.wanted.declines }] : []));
  if (asking.length === 0) return new Map();
  const counts = await reader.declines(asking.map(({ asked }) => asked));
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
  reader: Reader,
  question: Question<R>,
  ...lists: readonly (readonly string[])[]
): Promise<R[]> {
  if (lists[0]?.length === 0) return [];
  const found = await reader.rows(question, ...lists);
  return found.map((row) => decodeRow(question.table, row));
}
