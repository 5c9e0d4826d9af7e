import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { DeliveryStatus, EventRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { decodeRow, events, type StoredRow } from '../store/tables.js';

/** How many due events are looked at in search of those that may go now. */
const WINDOW = 256;

/** An event that this process may deliver until the lease ends. */
export interface ClaimedEvent extends EventRecord {
  leaseUntil: number;
  firstAttemptAt: number;
}

/** What an attempt changes of its event. */
export interface DeliveryOutcome {
  id: string;
  /** The lease under which the attempt was made: without it, somebody else delivers the event now. */
  leaseUntil: number;
  status: Exclude<DeliveryStatus, 'none'>;
  /** Only of a pending event. */
  nextAttemptAt: number | null;
  lastResult: string;
}

/** What waits to be delivered. */
export interface Outlook {
  /** Events are due, but blocked, or more than were looked at. */
  due: boolean;
  /** When the next event becomes due. */
  nextAt: number | undefined;
}

/**
 * The events as the merchant gets them. An event that waits is due from `nextAttemptAt` on, and claiming one moves that to the end of
 * the lease: what a crashed process had in its hands becomes due again by itself. Only events that have their position are
 * delivered, so that whoever has received one can list what came after it.
 *
 * Each statement is one on its own and locks rows without waiting for locks, so that replicas cannot block each other.
 */
@Injectable()
export class EventsRepository {
  constructor(private readonly store: Store) {}

  /** The event with this id. */
  async find(id: string): Promise<EventRecord | undefined> {
    const row = await this.store.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
    return row && decodeRow(events, row);
  }

  /** Events in their one order, from after `position`; at most `limit`. Those of one payment or session only, where it is given. */
  async listAfter(position: number, limit: number, aggregateId?: string): Promise<EventRecord[]> {
    const rows = await this.store.db
      .selectFrom('events')
      .selectAll()
      .where('position', '>', position)
      .$if(aggregateId !== undefined, (query) => query.where('aggregate_id', '=', aggregateId ?? ''))
      .orderBy('position')
      .limit(limit)
      .execute();
    return rows.map((row) => decodeRow(events, row));
  }

  /**
   * Takes up to `count` events that may go now: due, and no other event of their payment or session waits before them or is on its way.
   */
  async claim(owner: string, now: number, leaseUntil: number, count: number): Promise<ClaimedEvent[]> {
    const { rows } = await sql<StoredRow>`
      with due as materialized (${dueNow(now)}),
      ready as materialized (
        select events.id from events join due on due.id = events.id
        where not exists (
          select 1 from events as other
          where other.aggregate_id = due.aggregate_id and other.delivery_status = 'pending' and other.id <> due.id
            and (other.sequence < due.sequence or other.lease_until > ${now}))
        order by events.next_attempt_at limit ${count} ${this.lockFree()})
      update events set lease_owner = ${owner}, lease_until = ${leaseUntil}, next_attempt_at = ${leaseUntil},
        attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now})
      where id in (select id from ready) and delivery_status = 'pending' and next_attempt_at <= ${now}
      returning *`.execute(this.store.db);
    return rows.map((row) => decodeRow(events, row) as ClaimedEvent);
  }

  /**
   * Lets due events whose predecessor waits for another attempt wait as long as that one, so that they are not looked at again and again.
   * Returns how many.
   */
  async park(now: number): Promise<number> {
    const { rows } = await sql`
      with due as materialized (${dueNow(now)}),
      blocked as materialized (
        select events.id, (
          select max(earlier.next_attempt_at) from events as earlier
          where earlier.aggregate_id = due.aggregate_id and earlier.delivery_status = 'pending'
            and earlier.sequence < due.sequence and earlier.lease_owner is null) as until
        from events join due on due.id = events.id ${this.lockFree()})
      update events set next_attempt_at = blocked.until from blocked
      where events.id = blocked.id and blocked.until > ${now}
        and events.delivery_status = 'pending' and events.next_attempt_at <= ${now}
      returning events.id`.execute(this.store.db);
    return rows.length;
  }

  /** Whether anything is due, and when something will be. */
  async outlook(now: number): Promise<Outlook> {
    const { rows } = await sql<{ due: number | null; next: number | null }>`
      select
        (select min(next_attempt_at) from events
          where delivery_status = 'pending' and next_attempt_at <= ${now} and position is not null) as due,
        (select min(next_attempt_at) from events
          where delivery_status = 'pending' and next_attempt_at > ${now}) as next`.execute(this.store.db);
    const [row] = rows;
    return { due: typeof row?.due === 'number', nextAt: row?.next ?? undefined };
  }

  /** Records what became of attempts. Those whose lease `owner` has lost to somebody else are left alone. */
  async record(owner: string, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const values = outcomes.map(
      (outcome) =>
        sql`(cast(${outcome.id} as text), cast(${outcome.leaseUntil} as bigint), cast(${outcome.status} as text),
             cast(${outcome.nextAttemptAt} as bigint), cast(${outcome.lastResult} as text))`,
    );
    await sql`
      with outcomes (id, lease_until, status, next_at, result) as (values ${sql.join(values)})
      update events set delivery_status = outcomes.status, next_attempt_at = outcomes.next_at,
        last_result = outcomes.result, lease_owner = null, lease_until = 0
      from outcomes
      where events.id = outcomes.id and events.lease_owner = ${owner} and events.lease_until = outcomes.lease_until
    `.execute(this.store.db);
  }

  /**
   * Makes an event wait for its delivery again, at once and with a whole new series of attempts, together with what else of its payment or
   * session waits for another attempt. One that is on its way stays as it is. Returns the event, or undefined where there is none.
   */
  async redeliver(id: string, now: number): Promise<EventRecord | undefined> {
    await sql`
      update events set delivery_status = 'pending', next_attempt_at = ${now}, lease_owner = null, lease_until = 0,
        attempts = case when id = ${id} then 0 else attempts end,
        first_attempt_at = case when id = ${id} then null else first_attempt_at end
      where aggregate_id = (select asked.aggregate_id from events as asked where asked.id = ${id})
        and (id = ${id} or delivery_status = 'pending') and position is not null and lease_until <= ${now}`.execute(
      this.store.db,
    );
    return this.find(id);
  }

  /** Makes everything that a crashed process had in its hands due now: for the embedded store, which no other process uses. */
  async releaseAll(now: number): Promise<void> {
    await sql`
      update events set lease_owner = null, lease_until = 0, next_attempt_at = ${now}
      where delivery_status = 'pending' and lease_owner is not null`.execute(this.store.db);
  }

  /**
   * Makes events due whose time was written by a clock that has been set back since: they would wait for as long as that.
   * Clocks of replicas may differ by up to `tolerance`.
   */
  async bringForward(now: number, tolerance: number): Promise<void> {
    await sql`
      update events set lease_owner = null, lease_until = 0, next_attempt_at = ${now}
      where delivery_status = 'pending' and next_attempt_at > ${now + tolerance} and created_at > ${now + tolerance}`.execute(
      this.store.db,
    );
  }

  /** On PostgreSQL: takes row locks that are free and passes by the others. */
  private lockFree(): RawBuilder<unknown> {
    return this.store.kind === 'postgres' ? sql`for update of events skip locked` : sql``;
  }
}

/** Words of the statuses stand in the statements as they are, else the partial indexes are not used. */
function dueNow(now: number): RawBuilder<unknown> {
  return sql`
    select id, aggregate_id, sequence from events
    where delivery_status = 'pending' and next_attempt_at <= ${now} and position is not null
    order by next_attempt_at limit ${sql.lit(WINDOW)}`;
}
