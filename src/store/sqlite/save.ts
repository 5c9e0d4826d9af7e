import { changeRows, type RowChanges, type Versioned } from '../row-changes.js';
import { FEW_ON_SQLITE, fewOnSqlite } from '../count-declines.js';
import type { DeclineQuestion, Write } from '../driver.js';
import type { StoredPayment } from '../payment-row.js';
import type { NewDecline } from '../payment-writer.js';
import {
  approvals,
  declines,
  events,
  idempotencyKeys,
  movements,
  newPayments,
  operations,
  paymentRows,
  payments,
  payOfPayment,
  references,
  sessions,
  versionedReferences,
  writtenTexts,
  type ApprovalRecord,
  type EventRecord,
  type IdempotencyRecord,
  type MovementRecord,
  type OperationRecord,
  type ReferenceRecord,
  type SessionRecord,
  type WrittenTextRecord,
} from '../schema.js';
import { insertOne, updateOne } from '../statements.js';
import { columnsOf, encode, propertiesOf, type StoredValue, type Table } from '../table.js';
import type { TimelineChange } from '../timeline-lines.js';
import { STEP, STEP_SIZE, type BatchMessage } from './runner.js';

/** Commits happen one after the other here, so the events of one get their place while they are written. */
const NEW_EVENT_BATCH = `insert into event_batches (position)
  select coalesce(max(position), 0) + 1 from event_batches`;
const THIS_EVENT_BATCH = { batch: '(select max(id) from event_batches)' };
/** What stands in the row so far becomes a page. */
const NEW_PAGE = `insert into timeline_pages (payment_id, last_sequence, entries)
  select id, ?, timeline from payments where id = ?`;
const RAISED = ['version = version + 1'];
/** Conditions of updates, by names: a long text would have to be read to find the statement. */
const SAME_VERSION = { name: 'same version', text: 'version = ?' };
const SAME_VERSION_AND_FEW = {
  name: 'same version and few declines',
  text: `${SAME_VERSION.text} and ${FEW_ON_SQLITE}`,
};
const SAME_KEY = { name: 'same key', text: 'created_at = ? and running_until is ? and operation_id is ?' };

/** What an update does besides setting what differs. */
interface Also {
  set?: readonly string[];
  /** The values of `set`. */
  values?: readonly StoredValue[];
  /** What must hold of the row. */
  where?: { readonly name: string; readonly text: string };
  /** The values of `where`. */
  held?: readonly StoredValue[];
}

/** The statements that the thread knows, by their texts or by what tells them apart more quickly. */
export class KnownStatements {
  private readonly numbers = new Map<string, number>();
  private fresh: (number | string)[] = [];

  /** The number of a statement, which is put together once. */
  number(name: string, text: () => string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(name, number);
      this.fresh.push(number, text());
    }
    return number;
  }

  /** Those that the thread has not heard of. */
  takeFresh(): (number | string)[] {
    return this.fresh.splice(0);
  }
}

/** The writes of a batch as steps: only the columns that differ are written. */
export class SaveMessage implements RowChanges {
  private readonly steps: number[] = [];
  private readonly values: StoredValue[] = [];
  private readonly writes: number[] = [];
  private eventNumber = 0;

  /** @param now by the store's clock @param first a statement that comes before all writes, with its values, and must change a row */
  constructor(
    private readonly statements: KnownStatements,
    private readonly now: number,
    first: { sql: string; values: readonly StoredValue[] } | undefined,
  ) {
    if (first) this.step(first.sql, first.values, STEP.must);
    this.writes.push(first ? 1 : 0);
  }

  add(write: Write): void {
    const before = this.steps.length;
    changeRows(write, this);
    this.writes.push((this.steps.length - before) / STEP_SIZE);
  }

  in(generation: number): BatchMessage {
    const { steps, values, writes, statements } = this;
    return { kind: 'batch', texts: statements.takeFresh(), steps, values, writes, generation };
  }

  reference(
    row: ReferenceRecord,
    before: Versioned | undefined,
    fewDeclines: DeclineQuestion | undefined,
  ): void {
    if (!before) {
      this.insert(versionedReferences, { ...row, version: 1 }, { orNothing: true });
      return;
    }
    const held = [before.version, ...(fewDeclines ? fewOnSqlite(fewDeclines, this.now) : [])];
    const also = { set: RAISED, where: fewDeclines ? SAME_VERSION_AND_FEW : SAME_VERSION, held };
    this.update(references, row, before.row, also, STEP.counts);
  }

  releasedKey({ scope, key }: { scope: string; key: string }): void {
    this.step('delete from idempotency_keys where scope = ? and key = ?', [scope, key], STEP.any);
  }

  key(row: IdempotencyRecord, before: IdempotencyRecord | undefined): void {
    if (!before) {
      this.insert(idempotencyKeys, row, { orNothing: true });
      return;
    }
    const { createdAt, runningUntil, operationId } = before;
    const held = [createdAt, runningUntil, operationId];
    this.update(idempotencyKeys, row, before, { where: SAME_KEY, held }, STEP.counts);
  }

  session(row: SessionRecord, before: SessionRecord | undefined): void {
    this.put(sessions, row, before);
  }

  payment(row: StoredPayment, before: StoredPayment | undefined, timeline: TimelineChange | undefined): void {
    const { payment, pay } = row;
    const lines = timeline?.lines ?? '';
    const pageUpTo = before && timeline?.pageUpTo;
    if (pageUpTo !== undefined) this.step(NEW_PAGE, [pageUpTo, payment.id], STEP.must);
    const from = this.values.length;
    if (!before) {
      this.give(payments, payment);
      this.give(payOfPayment, pay);
      this.values.push(lines);
      const number = this.statements.number('insert payment', () => insertOne(newPayments));
      this.addStep(number, this.values.length - from, STEP.must);
      return;
    }
    const changed = [
      ...this.giveChanged(payments, payment, before.payment),
      ...this.giveChanged(payOfPayment, pay, before.pay, columnsOf(payments).length),
    ];
    const set = [pageUpTo === undefined ? 'timeline = timeline || ?' : 'timeline = ?'];
    this.updateFrom(from, paymentRows, changed, [payment.id], timeline && { set, values: [lines] });
  }

  operation(row: OperationRecord, before: OperationRecord | undefined): void {
    this.put(operations, row, before);
  }

  event(row: EventRecord): void {
    this.eventNumber += 1;
    this.step(NEW_EVENT_BATCH, [], STEP.once);
    this.insert(events, { ...row, ordinal: this.eventNumber }, { computed: THIS_EVENT_BATCH });
  }

  movement(row: MovementRecord): void {
    this.step(NEW_EVENT_BATCH, [], STEP.once);
    this.insert(movements, row, { computed: THIS_EVENT_BATCH });
  }

  text(row: WrittenTextRecord): void {
    this.insert(writtenTexts, row);
  }

  forgivenDecline(id: string): void {
    this.step('delete from declines where id = ?', [id], STEP.any);
  }

  decline(row: NewDecline): void {
    this.insert(declines, { ...row, at: this.now });
  }

  approval(row: ApprovalRecord, before: ApprovalRecord | undefined): void {
    this.put(approvals, row, before);
  }

  private put<R>(table: Table<R>, row: R, before: R | undefined): void {
    if (before) this.update(table, row, before);
    else this.insert(table, row);
  }

  private insert<R>(
    table: Table<R>,
    row: R,
    {
      orNothing = false,
      computed,
    }: { orNothing?: boolean; computed?: Readonly<Record<string, string>> } = {},
  ): void {
    const from = this.values.length;
    this.give(table, row, computed);
    const count = this.values.length - from;
    const text = (): string => `${insertOne(table, computed)}${orNothing ? ' on conflict do nothing' : ''}`;
    // A reference's row has its version only where it is new.
    const name = `insert ${table.name} ${count}`;
    this.addStep(this.statements.number(name, text), count, orNothing ? STEP.counts : STEP.must);
  }

  private update<R>(table: Table<R>, row: R, before: R, also: Also = {}, rule: number = STEP.must): void {
    const from = this.values.length;
    const changed = this.giveChanged(table, row, before);
    const key = table.key.map((property) => encode(table.columns[property].kind, row[property]));
    this.updateFrom(from, table, changed, key, also, rule);
  }

  /** Changes columns of a table, by their numbers, whose values have been given from `from` on. */
  private updateFrom<R>(
    from: number,
    table: Table<R>,
    changed: readonly number[],
    key: readonly StoredValue[],
    { set = [], values = [], where, held = [] }: Also = {},
    rule: number = STEP.must,
  ): void {
    if (changed.length === 0 && set.length === 0) return;
    for (const given of [values, key, held]) for (const value of given) this.values.push(value);
    const text = (): string => {
      const columns = columnsOf(table);
      const sql = updateOne(
        table,
        changed.map((index) => columns[index] ?? ''),
        set,
      );
      return where ? `${sql} and ${where.text}` : sql;
    };
    const name = `update ${table.name} ${changed.join()} ${set.join()} ${where?.name}`;
    this.addStep(this.statements.number(name, text), this.values.length - from, rule);
  }

  /** Gives the values of a row, but for the columns that are computed. */
  private give<R>(table: Table<R>, row: R, computed?: Readonly<Record<string, string>>): void {
    const columns = columnsOf(table);
    const properties = propertiesOf(table);
    for (let index = 0; index < properties.length; index += 1) {
      const property = properties[index];
      if (property === undefined || (computed && (columns[index] ?? '') in computed)) continue;
      this.values.push(encode(table.columns[property].kind, row[property]));
    }
  }

  /** Gives the values that differ. Returns the numbers of their columns, of which the first has the number `first`. */
  private giveChanged<R>(table: Table<R>, row: R, before: R, first = 0): number[] {
    const changed: number[] = [];
    const properties = propertiesOf(table);
    for (let index = 0; index < properties.length; index += 1) {
      const property = properties[index];
      // Records are copied to change them, so a JSON value that is the same object has not changed.
      if (property === undefined || row[property] === before[property]) continue;
      changed.push(first + index);
      this.values.push(encode(table.columns[property].kind, row[property]));
    }
    return changed;
  }

  private step(sql: string, values: readonly StoredValue[], rule: number): void {
    this.values.push(...values);
    this.addStep(
      this.statements.number(sql, () => sql),
      values.length,
      rule,
    );
  }

  private addStep(statement: number, values: number, rule: number): void {
    this.steps.push(statement, values, rule);
  }
}
