import { ASKED_DECLINES, FEW_ON_POSTGRES, POSTGRES_NOW } from '../count-declines.js';
import {
  deleteMany,
  insertMany,
  OF_REFERENCE,
  updateMany,
  WON,
  type InsertMany,
  type UpdateMany,
} from '../statements.js';
import {
  approvals,
  declines,
  events,
  idempotencyKeys,
  movements,
  operations,
  newPayments,
  paymentRows,
  payOfPayment,
  references,
  sessions,
  timelinePages,
  writtenTexts,
} from '../schema.js';
import { columnName, columnsOf, type Table } from '../table.js';
import { changedPayments, changedSessions, gather, type Gathered, type Row } from './gather.js';
import type { Write } from '../driver.js';

/** Its position is given after the commit: see the sequencer of the merchant's events. */
const EVENT_BATCH = 'event_batch';
const REPLACED_KEYS = 'replaced_keys';
const CLAIMED = 'claimed';
const CLAIMED_UNLESS_DECLINED = 'claimed_unless_declined';
const MADE = 'made';

/** As many as there are combinations of what a batch can do. */
const texts = new Map<string, string>();

/** A key that another process has replaced since it was read is not replaced again. */
const SAME_KEY = `stored.created_at = new.former_created_at
  and stored.running_until is not distinct from new.former_running_until
  and stored.operation_id is not distinct from new.former_operation_id
  and new.${OF_REFERENCE} in (select reference from ${WON})`;
const FORMER_KEY = {
  former_created_at: 'bigint',
  former_running_until: 'bigint',
  former_operation_id: 'text',
};

/**
 * Puts all writes of a batch into one statement, whatever the number of tables and rows. A write counts if its reference still
 * has the version that it was decided on, which it then raises; of any other one nothing is written. The statement returns the
 * references of those that count.
 */
export class SaveStatement {
  readonly values: unknown[] = [];
  private readonly parts: (() => string)[] = [];
  private readonly rows: Gathered;
  private readonly result: string;

  constructor(writes: readonly Write[]) {
    this.rows = gather(writes);
    this.claim();
    const checked = this.writeKeys();
    this.insert('new sessions', sessions);
    this.update('sessions', sessions, { columns: columnsOf(changedSessions) });
    this.update('whole sessions', sessions, { columns: columnsOf(sessions) });
    this.insert('new payments', newPayments);
    this.writePayments();
    this.insert('new operations', operations);
    this.update('operations', operations, { columns: columnsOf(operations) });
    this.writeBatch();
    this.insert('texts', writtenTexts);
    this.delete('forgiven declines', declines);
    this.insert('declines', declines, { computed: { at: POSTGRES_NOW } });
    this.insert('new approvals', approvals);
    this.update('approvals', approvals, { columns: columnsOf(approvals) });
    this.result = `select reference${checked} from ${WON}`;
  }

  /** Depends on nothing but what is done in it, so it is put together once for each combination. */
  get text(): string {
    const combination = [...this.rows.keys()].sort().join();
    let text = texts.get(combination);
    if (text === undefined) {
      text = `with ${this.parts.map((part) => part()).join(',\n')}\n${this.result}`;
      texts.set(combination, text);
    }
    return text;
  }

  /** Raises the versions of the references, or makes their rows. What others have written meanwhile is left out. */
  private claim(): void {
    const claims: string[] = [];
    const claim = (name: string, statement: () => string): void => {
      this.parts.push(() => `${name} as (${statement()})`);
      claims.push(`select reference from ${name}`);
    };
    const claimKnown = (name: string, group: string, how: Pick<UpdateMany, 'condition' | 'extra'>): void => {
      const rows = this.rows.get(group);
      if (!rows) return;
      const given = this.give(rows, references);
      const update = { columns: columnsOf(references), computed: { version: 'stored.version + 1' }, ...how };
      claim(name, () => `${updateMany(references, given, update)} returning stored.reference`);
    };
    const extra = { version: 'bigint' };
    const condition = 'stored.version = new.version';
    claimKnown(CLAIMED, 'references', { extra, condition });
    claimKnown(CLAIMED_UNLESS_DECLINED, 'references unless declined', {
      extra: { ...extra, ...ASKED_DECLINES },
      condition: `${condition} and ${FEW_ON_POSTGRES}`,
    });
    const unknown = this.rows.get('new references');
    if (unknown) {
      const given = this.give(unknown);
      const how = { computed: { version: '1' }, condition: 'true' };
      claim(MADE, () => `${insertMany(references, given, how)} on conflict do nothing returning reference`);
    }
    this.parts.push(() => `${WON} as (${claims.join(' union all ')})`);
  }

  /** Returns a column that makes the statement fail where a key was replaced by another process, so that all is decided anew. */
  private writeKeys(): string {
    this.delete('released keys', idempotencyKeys);
    // If another process has written one of them since it was read, the statement fails, and all is decided anew.
    this.insert('new keys', idempotencyKeys);
    const rows = this.rows.get('keys');
    if (!rows) return '';
    const given = this.give(rows, idempotencyKeys);
    const how = { columns: columnsOf(idempotencyKeys), extra: FORMER_KEY, condition: SAME_KEY };
    this.parts.push(() => `${REPLACED_KEYS} as (${updateMany(idempotencyKeys, given, how)} returning 1)`);
    this.values.push(rows.map((row) => row.of_reference));
    return `, 1 / (case when (select count(*) from ${REPLACED_KEYS}) =
      (select count(*) from ${WON} where reference = any($${this.values.length}::text[])) then 1 else 0 end) as checked`;
  }

  private writePayments(): void {
    // What stands in the row so far becomes a page.
    this.insert('pages', timelinePages, {
      computed: { entries: '(select timeline from payments where payments.id = new.payment_id)' },
    });
    const extra = { timeline: 'text' };
    const continued = { extra, computed: { timeline: 'stored.timeline || new.timeline' } };
    const turned = { extra, computed: { timeline: 'new.timeline' } };
    const some = [...columnsOf(changedPayments), ...columnsOf(payOfPayment)];
    const whole = columnsOf(paymentRows);
    this.update('payments', paymentRows, { columns: some, ...continued });
    this.update('turned payments', paymentRows, { columns: some, ...turned });
    this.update('whole payments', paymentRows, { columns: whole, ...continued });
    this.update('whole turned payments', paymentRows, { columns: whole, ...turned });
  }

  /** Events and movements, with the batch that gives them their place in the order of all commits. */
  private writeBatch(): void {
    const rows = [...(this.rows.get('events') ?? []), ...(this.rows.get('movements') ?? [])];
    if (rows.length === 0) return;
    const given = this.values.push([...new Set(rows.map((row) => row.of_reference))]);
    this.parts.push(
      () => `${EVENT_BATCH} as (
      insert into event_batches (position) select null::bigint
      where exists (select 1 from ${WON} where reference = any($${given}::text[])) returning id)`,
    );
    const batch = `(select id from ${EVENT_BATCH})`;
    const ordinal = 'row_number() over (order by new.ordinal)';
    this.insert('events', events, { computed: { batch, ordinal } });
    this.insert('movements', movements, { computed: { batch } });
  }

  private insert<R>(group: string, table: Table<R>, how?: InsertMany): void {
    const rows = this.rows.get(group);
    if (!rows) return;
    const given = this.give(rows);
    this.part(() => insertMany(table, given, how));
  }

  private update<R>(group: string, table: Table<R>, how: UpdateMany): void {
    const rows = this.rows.get(group);
    if (!rows) return;
    const given = this.give(rows, table);
    this.part(() => updateMany(table, given, how));
  }

  private delete<R>(group: string, table: Table<R>): void {
    const rows = this.rows.get(group);
    if (!rows) return;
    const given = this.give(rows, table);
    this.part(() => deleteMany(table, given));
  }

  private part(statement: () => string): void {
    const number = this.parts.length;
    this.parts.push(() => `part_${number} as (${statement()})`);
  }

  /** Adds rows as a parameter, and with `table` the values of its key after it. Returns the parameter's number. */
  private give<R>(rows: readonly Row[], table?: Table<R>): number {
    const parameter = this.values.push(JSON.stringify(rows));
    for (const property of table?.key ?? []) {
      this.values.push(rows.map((row) => row[columnName(property)]));
    }
    return parameter;
  }
}
