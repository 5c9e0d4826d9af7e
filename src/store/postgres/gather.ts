import { askedDeclines } from '../count-declines.js';
import type { Write } from '../driver.js';
import { changeRows, type RowChanges } from '../row-changes.js';
import {
  approvals,
  declines,
  events,
  idempotencyKeys,
  movements,
  operations,
  type PaymentRow,
  paymentRows,
  references,
  type SessionRecord,
  sessions,
  writtenTexts,
} from '../schema.js';
import { columnName, encodeMember, propertiesOf, type StoredRow } from '../table.js';

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
  'emailHash',
  'phoneHash',
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
    const { reference } = write.loaded.snapshot.reference;
    changeRows(
      write,
      rowsInto((group, row) => {
        row['of_reference'] = reference;
        const rows = gathered.get(group);
        if (rows) rows.push(row as Row);
        else gathered.set(group, [row as Row]);
      }),
    );
  }
  // Two processes may insert the same keys under different references.
  gathered.get('new keys')?.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  gathered.get('events')?.forEach((row, index) => (row['ordinal'] = index + 1));
  return gathered;
}

function keyOf(row: Row): string {
  return `${String(row['scope'])}\n${String(row['key'])}`;
}

function rowsInto(put: (group: string, row: StoredRow) => void): RowChanges {
  return {
    reference: (reference, before, fewDeclines) => {
      const row = encodeMember(references, reference);
      if (!before) put('new references', row);
      else if (!fewDeclines) put('references', { ...row, version: before.version });
      else
        put('references unless declined', { ...row, version: before.version, ...askedDeclines(fewDeclines) });
    },
    releasedKey: (key) => {
      put('released keys', { ...key });
    },
    key: (key, former) => {
      const row = encodeMember(idempotencyKeys, key);
      if (!former) put('new keys', row);
      else
        put('keys', {
          ...row,
          former_created_at: former.createdAt,
          former_running_until: former.runningUntil,
          former_operation_id: former.operationId,
        });
    },
    session: (session, before) => {
      if (!before) put('new sessions', encodeMember(sessions, session));
      else if (LASTING_OF_SESSION.some((property) => session[property] !== before[property]))
        put('whole sessions', encodeMember(sessions, session));
      else put('sessions', encodeMember(sessions, session, CHANGED_SESSION));
    },
    payment: (row, before, timeline) => {
      const lines = timeline?.lines ?? '';
      if (!before) {
        put('new payments', { ...encodeMember(paymentRows, row), timeline: lines });
        return;
      }
      const turned = timeline?.pageUpTo !== undefined;
      if (turned) put('pages', { payment_id: row.id, last_sequence: timeline.pageUpTo ?? 0, entries: null });
      const whole = LASTING_OF_PAYMENT.some((property) => row[property] !== before[property]);
      const columns = encodeMember(paymentRows, row, whole ? undefined : CHANGED_PAYMENT);
      columns['timeline'] = lines;
      put(`${whole ? 'whole ' : ''}${turned ? 'turned ' : ''}payments`, columns);
    },
    operation: (operation, before) => {
      put(before ? 'operations' : 'new operations', encodeMember(operations, operation));
    },
    event: (event) => {
      put('events', encodeMember(events, event));
    },
    movement: (movement) => {
      put('movements', encodeMember(movements, movement));
    },
    text: (row) => {
      put('texts', encodeMember(writtenTexts, row));
    },
    forgivenDecline: (id) => {
      put('forgiven declines', { id });
    },
    decline: (decline) => {
      put('declines', encodeMember(declines, { ...decline, at: 0 }));
    },
    approval: (approval, before) => {
      put(before ? 'approvals' : 'new approvals', encodeMember(approvals, approval));
    },
  };
}
