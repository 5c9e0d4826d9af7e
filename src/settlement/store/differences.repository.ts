import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { differences, type DifferenceRecord } from '../../store/schema.js';
import { newId, timeBound } from '../../store/ids.js';
import { columnName, decodeRow, encode, type StoredRow } from '../../store/table.js';
import { Store } from '../../store/store.js';
import {
  DIFFERENCE_STEPS,
  NOT_SETTLED,
  ORDER_DIFFERENCES,
  REPORT_DIFFERENCES,
  type ClosingReason,
  type DifferenceKind,
  type DifferenceState,
  type DifferenceStep,
} from '../difference.js';
import { FACTS, type FoundDifference, type Reconciled } from '../match/reconcile.js';
import { insertRows, rowsWith } from './json-rows.js';

/** How many rows one statement marks: the embedded store serves nobody else meanwhile. */
const BATCH = 500;

const BY_REFERENCE = { table: 'differences', as: 'known', column: 'reference' };

/** Sorts after all that a reference may consist of. */
const AFTER_ALL = '\uffff';

/** Rows that were left, and may go another way when the gateway is asked again. */
const WANTED_AGAIN: readonly DifferenceStep[] = DIFFERENCE_STEPS.filter(
  (step) => step.startsWith('left_') && step !== 'left_known' && step !== 'left_reference',
);
/** Whether a person may want the payment of a row taken over. Pure. */
export function isAdoptable({ kind, state, step }: DifferenceRecord): boolean {
  const may = step === null || WANTED_AGAIN.some((left) => left === step);
  return kind === 'unknown_here' && state === 'open' && may;
}

/** Steps of what a person wanted taken over. */
const ADOPTION = DIFFERENCE_STEPS.filter((step) => step.startsWith('left_') || step.includes('adopt'));

const ABOUT_PAYMENTS: readonly string[] = [...REPORT_DIFFERENCES, NOT_SETTLED].filter(
  (kind) => kind !== 'payout_differs',
);

/** Which differences to list, in which order, and from where. */
export interface DifferencesPage {
  readonly state?: DifferenceState | undefined;
  readonly kind?: DifferenceKind | undefined;
  /** The gateway's reference, or the merchant's. */
  readonly reference?: string | undefined;
  /** The file's, or where that names none the ledger's. */
  readonly currency?: string | undefined;
  /** Those found at this time or later. */
  readonly from?: number | undefined;
  /** Those found before this time. */
  readonly to?: number | undefined;
  /** Those before this one; absent: from the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The time of a report: what the ledger has of it and no report has is shown with it. */
export interface ReportTime {
  readonly id: string;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** What is done about a difference that is found now. */
export type FirstStep = (found: FoundDifference) => { step: DifferenceStep; dueAt: number } | undefined;

/** Where reports, lists of orders and the ledger differ, each once. */
@Injectable()
export class DifferencesRepository {
  private lastIdAt = 0;

  constructor(private readonly store: Store) {}

  async find(id: string): Promise<DifferenceRecord | undefined> {
    const [found] = await this.read(sql`select * from differences where id = ${id}`);
    return found;
  }

  /** All that is known to differ of these payments, by the gateway's references: of reports, and what no report has. */
  async ofPayments(references: readonly string[]): Promise<DifferenceRecord[]> {
    const found = await this.ofReferences(references);
    return found.filter(({ kind }) => ABOUT_PAYMENTS.includes(kind));
  }

  /** The same of these orders, by the merchant's references. */
  async ofOrders(references: readonly string[]): Promise<DifferenceRecord[]> {
    const found = await this.ofReferences(references);
    return found.filter(({ kind }) => ORDER_DIFFERENCES.some((one) => one === kind));
  }

  private async ofReferences(references: readonly string[]): Promise<DifferenceRecord[]> {
    if (references.length === 0) return [];
    return this.read(
      sql`select known.* from ${rowsWith(this.store, references, BY_REFERENCE)} order by known.id`,
    );
  }

  /** What is known to differ of the payouts of a name. */
  async ofPayout(name: string): Promise<DifferenceRecord[]> {
    const found = await this.ofReferences([name]);
    return found.filter(({ kind, subject }) => kind === 'payout_differs' && subject.endsWith(` ${name}`));
  }

  /** Which of these references, the gateway's or the merchant's, have open differences. */
  async openNamed(references: readonly string[]): Promise<string[]> {
    if (references.length === 0) return [];
    const { rows } = await sql<{ reference: string }>`select distinct known.reference
      from ${rowsWith(this.store, references, BY_REFERENCE)} where known.state = 'open'`.execute(
      this.store.db,
    );
    return rows.map(({ reference }) => reference);
  }

  async bySubject(subject: string): Promise<DifferenceRecord | undefined> {
    const [found] = await this.read(sql`select * from differences where subject = ${subject}`);
    return found;
  }

  /** Writes down what was found. Doing it again changes nothing. */
  async apply({ opened, changed, closed }: Reconciled, now: number, firstStep: FirstStep): Promise<void> {
    await insertRows(
      this.store,
      differences,
      opened.map((found): DifferenceRecord => ({
        ...found,
        ...blank(),
        ...stepOf(firstStep(found)),
        id: this.nextId(now),
      })),
    );
    for (const { before, after, opens } of changed) {
      const isOther =
        before.state === 'open' && (before.kind !== after.kind || before.paymentId !== after.paymentId);
      const isWanted = ADOPTION.some((step) => step === before.step);
      const next = (opens || isOther) && !isWanted ? stepOf(firstStep(after)) : {};
      const opening = opens ? { state: 'open' as const, closedBy: null, closedAt: null, reason: null } : {};
      await this.set(before, { ...pick(after), ...next, ...opening });
    }
    for (const difference of closed)
      // What is to be taken over stays so until that is done with.
      await this.set(difference, {
        state: 'closed',
        closedAt: now,
        ...(difference.step !== 'to_adopt' && { dueAt: null }),
      });
  }

  /** Ids are in the order in which the differences were found, also within a millisecond. */
  private nextId(now: number): string {
    this.lastIdAt = Math.max(now, this.lastIdAt + 1);
    return newId('dif', this.lastIdAt);
  }

  /** One page over all reports, the newest first. */
  async list({
    state,
    kind,
    reference,
    before,
    limit,
    ...more
  }: DifferencesPage): Promise<DifferenceRecord[]> {
    const conditions = [
      state !== undefined && sql`state = ${state}`,
      kind !== undefined && sql`kind = ${kind}`,
      before !== undefined && sql`id < ${before}`,
      more.currency !== undefined && sql`coalesce(found_currency, expected_currency) = ${more.currency}`,
      // Ids begin with the time at which they were made.
      more.from !== undefined && sql`id >= ${timeBound('dif', more.from)}`,
      more.to !== undefined && sql`id < ${timeBound('dif', more.to)}`,
    ].filter((one) => one !== false);
    const page = (more?: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`select * from differences ${whereAll([...conditions, ...(more ? [more] : [])])} order by id desc limit ${limit}`;
    if (reference === undefined) return this.read(page());
    // The gateway's references of an order begin with the merchant's, and go on with the separator and a number.
    const ofOrder = sql`order_reference = ${reference} and reference > ${reference} and reference < ${reference + AFTER_ALL}`;
    return this.read(
      sql`select * from (select * from (${page(sql`reference = ${reference}`)}) as named
        union select * from (${page(ofOrder)}) as of_order) as found
        order by id desc limit ${limit}`,
    );
  }

  /**
   * One page of a report's differences in the order in which they were found, and with them what no report has of the report's time.
   */
  async listOf(
    { id, firstAt, lastAt }: ReportTime,
    { kind, after, limit }: { kind?: DifferenceKind | undefined; after: string; limit: number },
  ): Promise<DifferenceRecord[]> {
    const ofKind = kind === undefined ? sql`` : sql`and kind = ${kind}`;
    const own = sql`select * from (select * from differences
      where settlement_id = ${id} and id > ${after} ${ofKind} order by id limit ${limit}) as own`;
    const hasTime = firstAt !== null && lastAt !== null && (kind === undefined || kind === NOT_SETTLED);
    if (!hasTime) return this.read(sql`${own} order by id`);
    return this.read(sql`select * from (${own} union all select * from (select * from differences
      where moved_at is not null and moved_at between ${firstAt} and ${lastAt} and id > ${after}
        order by id limit ${limit}) as absent) as found
      order by id limit ${limit}`);
  }

  /** How many movements of a time no report has settled, counted up to a limit. */
  async countAbsent(from: number, until: number, limit: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from (
      select 1 from differences where moved_at is not null and moved_at between ${from} and ${until} and state = 'open' limit ${limit}) as found`.execute(
      this.store.db,
    );
    return Number(rows[0]?.count ?? 0);
  }

  /** How many differences of each kind a report has; `twice_there` are those of `settled_twice` that it has settled first itself. */
  async countOf(settlementId: string): Promise<Record<string, number>> {
    const { rows } = await sql<{ kind: string; count: number; own: number }>`select kind, count(*) as count,
      sum(case when first_id = settlement_id then 1 else 0 end) as own
      from differences where settlement_id = ${settlementId} group by kind`.execute(this.store.db);
    const counts = Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]));
    const twice = rows.find(({ kind }) => kind === 'settled_twice');
    return { ...counts, twice_there: Number(twice?.own ?? 0) };
  }

  /** How many of what a person wanted taken over of a report are in which step. */
  async adoptionOf(settlementId: string): Promise<Map<DifferenceStep, number>> {
    const { rows } = await sql<{
      step: DifferenceStep;
      count: number;
    }>`select step, count(*) as count from differences
      where settlement_id = ${settlementId} and step in (${sql.join([...ADOPTION])}) group by step`.execute(
      this.store.db,
    );
    return new Map(rows.map(({ step, count }) => [step, Number(count)]));
  }

  /** Open differences in a step that something is to be done about by now, the longest due first. */
  async due(step: DifferenceStep, now: number, limit: number): Promise<DifferenceRecord[]> {
    return this.read(sql`select * from differences
      where step = ${step} and due_at <= ${now} and due_at is not null order by due_at limit ${limit}`);
  }

  /** Whether a report has differences in this step that something is still to be done about. */
  async hasDue(settlementId: string, step: DifferenceStep): Promise<boolean> {
    const found = await this.read(sql`select * from differences
      where step = ${step} and due_at is not null and settlement_id = ${settlementId} limit 1`);
    return found.length > 0;
  }

  /** Moves a difference to another step, if it is still in the one that it was read in. */
  async move(
    { id, step }: DifferenceRecord,
    to: { step: DifferenceStep | null; dueAt: number | null },
  ): Promise<void> {
    await sql`update differences set step = ${to.step}, due_at = ${to.dueAt}
      where id = ${id} and ${step === null ? sql`step is null` : sql`step = ${step}`}`.execute(this.store.db);
  }

  /** Wants rows to be taken over: those of them that still may be, whatever was done about them since they were read. */
  async wantAdopted(ids: readonly string[], actor: string, now: number): Promise<void> {
    if (ids.length === 0) return;
    await sql`update differences set step = 'to_adopt', due_at = ${now}, actor = ${actor}
      where id in (${sql.join(ids)}) and kind = 'unknown_here' and state = 'open'
        and (step is null or step in (${sql.join([...WANTED_AGAIN])}))`.execute(this.store.db);
  }

  /**
   * Rows of a report, of these lines or all, that a person may want taken over: those that nobody has wanted yet, and those that were left
   * and may go another way now. In small batches.
   */
  async *adoptable(
    settlementId: string,
    lines: readonly number[] | undefined,
  ): AsyncGenerator<DifferenceRecord[]> {
    const wanted = lines && new Set(lines);
    for (let after = ''; ;) {
      const page = await this.read(sql`select * from differences
        where settlement_id = ${settlementId} and kind = 'unknown_here' and id > ${after} order by id limit ${BATCH}`);
      yield page.filter(
        (one) => isAdoptable(one) && (!wanted || (one.line !== null && wanted.has(one.line))),
      );
      const last = page.at(-1);
      if (!last || page.length < BATCH) return;
      after = last.id;
    }
  }

  /** Closes the differences that a former list of orders beside a report had and the present one has not, in small batches. */
  async closeOrders(settlementId: string, listAt: number, now: number): Promise<void> {
    for (const kind of ORDER_DIFFERENCES) {
      for (;;) {
        const page = await this
          .read(sql`select * from differences where settlement_id = ${settlementId} and kind = ${kind}
          and state = 'open' and (settled_at is null or settled_at <> ${listAt}) order by id limit ${BATCH}`);
        for (const difference of page) await this.set(difference, { state: 'closed', closedAt: now });
        if (page.length < BATCH) break;
      }
    }
  }

  /** Closes an open difference on a person's word. False where it is closed by now, or says something else than when it was read. */
  async close(
    { id, kind, ...read }: DifferenceRecord,
    by: { actor: string; at: number; reason: ClosingReason; noteId: string | null },
    db = this.store.db,
  ): Promise<boolean> {
    const { numAffectedRows = 0n } =
      await sql`update differences set state = 'closed', closed_by = ${by.actor},
      closed_at = ${by.at}, reason = ${by.reason}, note_id = ${by.noteId} where id = ${id} and state = 'open' and kind = ${kind}
      and coalesce(expected_amount, '') = ${String(read.expectedAmount ?? '')} and coalesce(expected_currency, '') = ${read.expectedCurrency ?? ''}
      and coalesce(found_amount, '') = ${String(read.foundAmount ?? '')} and coalesce(found_currency, '') = ${read.foundCurrency ?? ''}
      and coalesce(found_decimals, -1) = ${read.foundDecimals ?? -1}`.execute(db);
    return numAffectedRows > 0n;
  }

  /** Opens a closed one again. False where it is open by now. */
  async reopen(id: string, noteId: string | null, db = this.store.db): Promise<boolean> {
    const note = noteId === null ? sql`` : sql`, note_id = ${noteId}`;
    const { numAffectedRows = 0n } =
      await sql`update differences set state = 'open', closed_by = null, closed_at = null,
      reason = null ${note} where id = ${id} and state = 'closed'`.execute(db);
    return numAffectedRows > 0n;
  }

  async note(id: string, noteId: string, db = this.store.db): Promise<void> {
    await sql`update differences set note_id = ${noteId} where id = ${id}`.execute(db);
  }

  /** Open differences after an id, in the order of their ids. */
  async openAfter(id: string, limit: number): Promise<DifferenceRecord[]> {
    return this.read(
      sql`select * from differences where state = 'open' and id > ${id} order by id limit ${limit}`,
    );
  }

  /** Changes a difference, unless a person has opened or closed it since it was read. */
  private async set({ id, state }: DifferenceRecord, to: Partial<DifferenceRecord>): Promise<void> {
    const set = Object.entries(to).map(([property, value]) => {
      const { kind } = differences.columns[property as keyof DifferenceRecord];
      return sql`${sql.ref(columnName(property))} = ${encode(kind, value)}`;
    });
    await sql`update differences set ${sql.join(set)} where id = ${id} and state = ${state}`.execute(
      this.store.db,
    );
  }

  private async read(query: RawBuilder<unknown>): Promise<DifferenceRecord[]> {
    const { rows } = await query.execute(this.store.db);
    return rows.map((row) => decodeRow(differences, row as StoredRow));
  }
}

function whereAll(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`;
}

function pick(found: FoundDifference): FoundDifference {
  return Object.fromEntries(FACTS.map((fact) => [fact, found[fact]])) as unknown as FoundDifference;
}

function stepOf(first: ReturnType<FirstStep>): Pick<DifferenceRecord, 'step' | 'dueAt'> {
  return { step: first?.step ?? null, dueAt: first?.dueAt ?? null };
}

function blank(): Omit<DifferenceRecord, keyof FoundDifference | 'id'> {
  return {
    ...{ state: 'open', step: null, dueAt: null, actor: null },
    ...{ noteId: null, closedBy: null, closedAt: null, reason: null },
  };
}

/** What the gateway is asked about, since a report moves no status by itself. */
const ASKED: readonly string[] = ['not_paid_here', 'refund_unknown_here', 'chargeback_unknown_here'];

/** What is done first about a difference that is found; undefined: nothing. Pure. */
export function firstStep(
  { kind, paymentId }: Pick<FoundDifference, 'kind' | 'paymentId'>,
  now: number,
): { step: DifferenceStep; dueAt: number } | undefined {
  return paymentId !== null && ASKED.includes(kind) ? { step: 'to_ask', dueAt: now } : undefined;
}
