import type { DeclineQuestion, Write } from './driver.js';
import { ownRows, payAfter, writtenPayments, type StoredPayment } from './payment-row.js';
import type { NewDecline, Snapshot } from './payment-writer.js';
import type {
  ApprovalRecord,
  EventRecord,
  IdempotencyRecord,
  MovementRecord,
  OperationRecord,
  ReferenceRecord,
  SessionRecord,
  WrittenTextRecord,
} from './schema.js';
import { timelineChange, type TimelineChange } from './timeline-lines.js';

export interface Versioned {
  row: ReferenceRecord;
  version: number;
}

/** Takes the rows of a write, each as it will be and as it was read; `undefined`: it is new. */
export interface RowChanges {
  /** Every write raises the version of its reference, or makes its row, and counts only where there are few enough declines. */
  reference(
    row: ReferenceRecord,
    before: Versioned | undefined,
    fewDeclines: DeclineQuestion | undefined,
  ): void;
  releasedKey(key: { scope: string; key: string }): void;
  key(row: IdempotencyRecord, before: IdempotencyRecord | undefined): void;
  session(row: SessionRecord, before: SessionRecord | undefined): void;
  payment(row: StoredPayment, before: StoredPayment | undefined, timeline: TimelineChange | undefined): void;
  operation(row: OperationRecord, before: OperationRecord | undefined): void;
  event(row: EventRecord): void;
  movement(row: MovementRecord): void;
  text(row: WrittenTextRecord): void;
  forgivenDecline(id: string): void;
  decline(row: NewDecline): void;
  approval(row: ApprovalRecord, before: ApprovalRecord | undefined): void;
}

/** What a write does to rows. */
export function changeRows({ changes, loaded, fewDeclines }: Write, rows: RowChanges): void {
  const { snapshot } = loaded;
  const { idempotency, releaseIdempotency } = changes;
  const { version } = loaded;
  rows.reference(
    changes.reference ?? snapshot.reference,
    version === undefined ? undefined : { row: snapshot.reference, version },
    fewDeclines,
  );
  if (releaseIdempotency) rows.releasedKey(releaseIdempotency);
  if (idempotency) rows.key(idempotency, snapshot.idempotency);
  for (const session of [changes.session, changes.beside?.session]) {
    if (session) rows.session(session, sessionBefore(session.id, snapshot));
  }
  for (const payment of writtenPayments(changes)) {
    const before = loaded.stored.find((stored) => stored.payment.id === payment.id);
    rows.payment(
      { payment, pay: payAfter(payment, changes.operations, before) },
      before,
      timelineChange(payment, changes.timeline, before?.payment),
    );
  }
  const read = [...snapshot.openOperations, ...(snapshot.settledRefunds ?? [])];
  for (const operation of ownRows(changes.operations))
    rows.operation(
      operation,
      read.find(({ id }) => id === operation.id),
    );
  for (const event of changes.events ?? []) rows.event(event);
  for (const movement of changes.movements ?? []) rows.movement(movement);
  for (const text of changes.texts ?? []) rows.text(text);
  if (changes.forgiveDecline !== undefined) rows.forgivenDecline(changes.forgiveDecline);
  for (const decline of changes.declines ?? []) rows.decline(decline);
  if (changes.approval) rows.approval(changes.approval, snapshot.approval);
}

function sessionBefore(id: string, { session, paidBeside }: Snapshot): SessionRecord | undefined {
  return session?.id === id ? session : paidBeside.find((paid) => paid.session.id === id)?.session;
}
