import { askedDeclines } from '../count-declines.js';
import type { DeclineQuestion, Write } from '../driver.js';
import type { StoredPayment } from '../payment-row.js';
import type { NewDecline } from '../payment-writer.js';
import { changeRows, type RowChanges, type Versioned } from '../row-changes.js';
import {
  approvals,
  declines,
  events,
  idempotencyKeys,
  movements,
  newPayments,
  operations,
  payments,
  payOfPayment,
  references,
  sessions,
  writtenTexts,
  type ApprovalRecord,
  type EventRecord,
  type IdempotencyRecord,
  type MovementRecord,
  type OperationRecord,
  type PaymentRecord,
  type ReferenceRecord,
  type SessionRecord,
  type WrittenTextRecord,
} from '../schema.js';
import { OF_REFERENCE } from '../statements.js';
import { blankRow, encodeMember, partOf, propertiesOf, type StoredRow } from '../table.js';
import type { TimelineChange } from '../timeline-lines.js';

/** A row as it is sent, with the reference of the write that it belongs to. */
export type Row = StoredRow & { of_reference: string };

/** The rows of a batch by what is done with them. A group that is there has rows. */
export type Gathered = ReadonlyMap<string, readonly Row[]>;

/** What of a payment stays as it was made. A write that changes any of it sends all columns. */
const LASTING_OF_PAYMENT: readonly (keyof PaymentRecord)[] = [
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

/** The columns of a payment that a write usually changes, and its key. */
export const changedPayments = partOf(
  payments,
  propertiesOf(payments).filter((property) => property === 'id' || !LASTING_OF_PAYMENT.includes(property)),
);
/** The same of a session. */
export const changedSessions = partOf(
  sessions,
  propertiesOf(sessions).filter((property) => property === 'id' || !LASTING_OF_SESSION.includes(property)),
);

/** Sorts the rows of all writes by what is done with them. */
export function gather(writes: readonly Write[]): Gathered {
  const gathering = new Gathering();
  for (const write of writes) gathering.add(write);
  const { rows } = gathering;
  // Two processes may insert the same keys under different references.
  rows.get('new keys')?.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  rows.get('events')?.forEach((row, index) => (row['ordinal'] = index + 1));
  return rows;
}

function keyOf(row: Row): string {
  return `${String(row['scope'])}\n${String(row['key'])}`;
}

class Gathering implements RowChanges {
  readonly rows = new Map<string, Row[]>();
  private ofReference = '';

  add(write: Write): void {
    this.ofReference = write.loaded.snapshot.reference.reference;
    changeRows(write, this);
  }

  reference(row: ReferenceRecord, before: Versioned | undefined, few: DeclineQuestion | undefined): void {
    const member = encodeMember(references, row);
    if (!before) this.put('new references', member);
    else if (!few) this.put('references', { ...member, version: before.version });
    else
      this.put('references unless declined', { ...member, version: before.version, ...askedDeclines(few) });
  }

  releasedKey(key: { scope: string; key: string }): void {
    this.put('released keys', { ...key });
  }

  key(row: IdempotencyRecord, former: IdempotencyRecord | undefined): void {
    const member = encodeMember(idempotencyKeys, row);
    if (!former) {
      this.put('new keys', member);
      return;
    }
    this.put('keys', {
      ...member,
      former_created_at: former.createdAt,
      former_running_until: former.runningUntil,
      former_operation_id: former.operationId,
    });
  }

  session(row: SessionRecord, before: SessionRecord | undefined): void {
    if (!before) this.put('new sessions', encodeMember(sessions, row));
    else if (LASTING_OF_SESSION.some((property) => row[property] !== before[property]))
      this.put('whole sessions', encodeMember(sessions, row));
    else this.put('sessions', encodeMember(changedSessions, row));
  }

  payment(row: StoredPayment, before: StoredPayment | undefined, change: TimelineChange | undefined): void {
    const { payment, pay } = row;
    const member = encodeMember(payOfPayment, pay, blankRow(newPayments));
    member['timeline'] = change?.lines ?? '';
    if (!before) {
      this.put('new payments', encodeMember(payments, payment, member));
      return;
    }
    const { pageUpTo } = change ?? {};
    if (pageUpTo !== undefined)
      this.put('pages', { payment_id: payment.id, last_sequence: pageUpTo, entries: null });
    const whole = LASTING_OF_PAYMENT.some((property) => payment[property] !== before.payment[property]);
    const group = `${whole ? 'whole ' : ''}${pageUpTo === undefined ? '' : 'turned '}payments`;
    this.put(group, encodeMember(whole ? payments : changedPayments, payment, member));
  }

  operation(row: OperationRecord, before: OperationRecord | undefined): void {
    this.put(before ? 'operations' : 'new operations', encodeMember(operations, row));
  }

  event(row: EventRecord): void {
    this.put('events', encodeMember(events, row));
  }

  movement(row: MovementRecord): void {
    this.put('movements', encodeMember(movements, row));
  }

  text(row: WrittenTextRecord): void {
    this.put('texts', encodeMember(writtenTexts, row));
  }

  forgivenDecline(id: string): void {
    this.put('forgiven declines', { id });
  }

  decline(row: NewDecline): void {
    this.put('declines', encodeMember(declines, { ...row, at: 0 }));
  }

  approval(row: ApprovalRecord, before: ApprovalRecord | undefined): void {
    this.put(before ? 'approvals' : 'new approvals', encodeMember(approvals, row));
  }

  private put(group: string, member: StoredRow): void {
    member[OF_REFERENCE] = this.ofReference;
    const row = member as Row;
    const rows = this.rows.get(group);
    if (rows) rows.push(row);
    else this.rows.set(group, [row]);
  }
}
