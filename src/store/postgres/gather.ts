import {
  ownRows,
  paymentRow,
  paymentRows,
  rowBefore,
  writtenPayments,
  type PaymentRow,
} from '../payment-row.js';
import type { Changes, Snapshot } from '../payment-writer.js';
import type { PaymentRecord, SessionRecord } from '../schema.js';
import {
  columnName,
  declines,
  events,
  idempotencyKeys,
  operations,
  references,
  sessions,
  type StoredRow,
} from '../tables.js';
import { encodeMember, propertiesOf } from './json-rows.js';
import { timelineChange } from '../timeline-lines.js';
import type { Write } from './load.js';

/** A row as it is sent, with the reference of the write that it belongs to. */
export type Row = StoredRow & { of_reference: string };

/** The rows of a batch by what is done with them. A group that is there has rows. */
export type Gathered = ReadonlyMap<string, readonly Row[]>;

/** What of a payment stays as it was made. A write that changes any of it sends all columns. */
const LASTING_OF_PAYMENT: readonly (keyof PaymentRow)[] = [
  'id',
  'sessionId',
  'reference',
  'gatewayReference',
  'method',
  'amount',
  'currency',
  'cardBrand',
  'cardLast4',
  'cardFingerprint',
  'addressFingerprint',
  'networkFingerprint',
  'metadata',
  'createdAt',
];

/** The same of a session. */
const LASTING_OF_SESSION: readonly (keyof SessionRecord)[] = [
  'id',
  'reference',
  'amount',
  'currency',
  'payer',
  'billing',
  'returnUrl',
  'methods',
  'metadata',
  'expiresAt',
  'createdAt',
  'redactedAt',
];

const SOME_PAYMENT_PROPERTIES = propertiesOf(paymentRows).filter(
  (property) => !LASTING_OF_PAYMENT.includes(property),
);
const SOME_SESSION_PROPERTIES = propertiesOf(sessions).filter(
  (property) => !LASTING_OF_SESSION.includes(property),
);
/** The columns of a payment that a write usually changes. */
export const SOME_OF_PAYMENT: readonly string[] = SOME_PAYMENT_PROPERTIES.map(columnName);
/** The same of a session. */
export const SOME_OF_SESSION: readonly string[] = SOME_SESSION_PROPERTIES.map(columnName);
/** What is sent of a row that is changed in them. */
const CHANGED_PAYMENT = ['id', ...SOME_PAYMENT_PROPERTIES] as const;
const CHANGED_SESSION = ['id', ...SOME_SESSION_PROPERTIES] as const;

/** Sorts the rows of all writes by what is done with them. */
export function gather(writes: readonly Write[]): Gathered {
  const gathered = new Map<string, Row[]>();
  for (const write of writes) {
    const reference = write.changes.reference ?? write.loaded.snapshot.reference;
    const put = (group: string, row: StoredRow): void => {
      row['of_reference'] = reference.reference;
      const rows = gathered.get(group);
      if (rows) rows.push(row as Row);
      else gathered.set(group, [row as Row]);
    };
    const { version } = write.loaded;
    const row = encodeMember(references, reference);
    if (version === undefined) put('new references', row);
    else {
      row['version'] = version;
      put('references', row);
    }
    gatherKeys(write, put);
    gatherSessions(write, put);
    for (const payment of writtenPayments(write.changes)) gatherPayment(payment, write, put);
    gatherRest(write, put);
  }
  // Two processes may insert the same keys under different references.
  gathered.get('new keys')?.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  gathered.get('events')?.forEach((row, index) => (row['ordinal'] = index + 1));
  return gathered;
}

type Put = (group: string, row: StoredRow) => void;

function keyOf(row: Row): string {
  return `${String(row['scope'])}\n${String(row['key'])}`;
}

function gatherKeys({ changes, loaded: { snapshot } }: Write, put: Put): void {
  const { idempotency, releaseIdempotency } = changes;
  if (releaseIdempotency) put('released keys', { ...releaseIdempotency });
  if (!idempotency) return;
  const { idempotency: former } = snapshot;
  const row = encodeMember(idempotencyKeys, idempotency);
  if (!former) {
    put('new keys', row);
    return;
  }
  put('keys', {
    ...row,
    former_created_at: former.createdAt,
    former_running_until: former.runningUntil,
    former_operation_id: former.operationId,
  });
}

function gatherSessions({ changes, loaded: { snapshot } }: Write, put: Put): void {
  for (const session of [changes.session, changes.beside?.session]) {
    const before = session && sessionBefore(session.id, snapshot);
    if (!session) continue;
    if (!before) put('new sessions', encodeMember(sessions, session));
    else if (LASTING_OF_SESSION.some((property) => session[property] !== before[property]))
      put('whole sessions', encodeMember(sessions, session));
    else put('sessions', encodeMember(sessions, session, CHANGED_SESSION));
  }
}

function sessionBefore(id: string, { session, paidBeside }: Snapshot): SessionRecord | undefined {
  return session?.id === id ? session : paidBeside.find((paid) => paid.session.id === id)?.session;
}

function gatherPayment(payment: PaymentRecord, { changes, loaded }: Write, put: Put): void {
  const before = loaded.stored.find((stored) => stored.payment.id === payment.id);
  const row = paymentRow(payment, changes.operations, before);
  const entered = timelineChange(payment, changes.timeline, before?.payment);
  const timeline = entered?.lines ?? '';
  if (!before) {
    const made = encodeMember(paymentRows, row);
    made['timeline'] = timeline;
    put('new payments', made);
    return;
  }
  const turned = entered?.pageUpTo !== undefined;
  if (turned) put('pages', { payment_id: payment.id, last_sequence: entered.pageUpTo ?? 0, entries: null });
  const former = rowBefore(before);
  const whole = LASTING_OF_PAYMENT.some((property) => row[property] !== former[property]);
  const columns = encodeMember(paymentRows, row, whole ? undefined : CHANGED_PAYMENT);
  columns['timeline'] = timeline;
  put(`${whole ? 'whole ' : ''}${turned ? 'turned ' : ''}payments`, columns);
}

function gatherRest({ changes, loaded: { snapshot } }: Write, put: Put): void {
  for (const operation of ownRows(changes.operations)) {
    const read = [...snapshot.openOperations, ...(snapshot.settledRefunds ?? [])];
    const known = read.some(({ id }) => id === operation.id);
    put(known ? 'operations' : 'new operations', encodeMember(operations, operation));
  }
  for (const event of changes.events ?? []) put('events', encodeMember(events, event));
  if (changes.forgiveDecline !== undefined) put('forgiven declines', { id: changes.forgiveDecline });
  for (const decline of changes.declines ?? [])
    put('declines', encodeMember(declines, { ...decline, at: 0 }));
}

/** Whether a write changes anything. */
export function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every(
    (change: unknown) => change === undefined || (Array.isArray(change) && change.length === 0),
  );
}
