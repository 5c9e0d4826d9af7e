import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { decodeRow, type StoredRow } from '../store/table.js';
import { type DeliveryStatus, type EventRecord, events } from '../store/schema.js';
import { Store } from '../store/store.js';

/** How many due events are examined to find those that can go now. */
const WINDOW = 256;
/** Bounds a single statement. */
const MOST_BROUGHT_FORWARD = 1_000;

/** An event that a process has claimed. */
export interface EventLease {
  id: string;
  owner: string;
  until: number;
}

/** An event that this process may deliver until the lease ends. */
export interface ClaimedEvent extends EventRecord {
  leaseUntil: number;
  firstAttemptAt: number;
}

/** How an attempt changes its event. */
export interface DeliveryOutcome {
  id: string;
  /** The lease under which the attempt was made. If it is lost, another process delivers the event now. */
  leaseUntil: number;
  status: Exclude<DeliveryStatus, 'none'>;
  /** Only of a pending event. */
  nextAttemptAt: number | null;
  lastResult: string;
}

/** What is waiting for delivery. */
export interface Outlook {
  /** Whether events are due that wait for others, or more than were examined. */
  due: boolean;
  /** When the next event becomes due. */
  nextAt: number | undefined;
}

/** Where an event stands in the one order: the position of its batch, and its number in that. */
export interface Place {
  position: number;
  ordinal: number;
}

/** Before the first event. */
export const THE_BEGINNING: Place = { position: 0, ordinal: 0 };

/**
 * The events in the store. A waiting event is due at `nextAttemptAt`, unless a process has claimed it. One that a dead
 * process had claimed becomes due again when another process gives it back. Only events with a place are delivered, so
 * that a receiver of one can list those after it.
 *
 * Each method is a single statement that skips locked rows, so that replicas cannot block each other.
 */
@Injectable()
export class EventsRepository {
  constructor(private readonly store: Store) {}

  /** The event with this id, and its place if it has one yet. */
  async find(id: string): Promise<(EventRecord & { place: Place | null }) | undefined> {
    const { rows } = await sql<StoredRow & { position: number | null }>`
      select events.*, event_batches.position from events join event_batches on event_batches.id = events.batch
      where events.id = ${id}`.execute(this.store.db);
    const [row] = rows;
    if (!row) return undefined;
    const event = decodeRow(events, row);
    const { position } = row;
    return { ...event, place: position === null ? null : { position, ordinal: event.ordinal ?? 0 } };
  }

  /** At most `limit` events after a place, in order; only those of one payment or session, where it is given. */
  async listAfter({ position, ordinal }: Place, limit: number, aggregateId?: string): Promise<EventRecord[]> {
    const only = aggregateId === undefined ? sql`` : sql`and events.id in (${idsOf(aggregateId)})`;
    const { rows } = await sql<StoredRow>`
      select events.* from event_batches join events on events.batch = event_batches.id
      where event_batches.position >= ${position}
        and (event_batches.position > ${position} or events.ordinal > ${ordinal}) ${only}
      order by event_batches.position, events.ordinal limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(events, row));
  }

  /**
   * Claims up to `count` events that can go now: they are due, and no earlier event of their payment or session is
   * waiting or being sent.
   */
  async claim(owner: string, now: number, leaseUntil: number, count: number): Promise<ClaimedEvent[]> {
    const { rows } = await sql<StoredRow>`
      with due as materialized (${dueNow(now)}),
      ready as materialized (
        select events.id from events join due on due.id = events.id
        where not exists (
          select 1 from events as other
          where other.aggregate_id = due.aggregate_id and other.delivery_status = 'pending' and other.id <> due.id
            and (other.sequence < due.sequence or other.lease_owner is not null))
        order by events.next_attempt_at limit ${count} ${this.lockFree()})
      update events set lease_owner = ${owner}, lease_until = ${leaseUntil}, next_attempt_at = ${leaseUntil},
        attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now})
      where id in (select id from ready) and delivery_status = 'pending' and next_attempt_at <= ${now}
        and lease_owner is null
      returning *`.execute(this.store.db);
    return rows.map((row) => decodeRow(events, row) as ClaimedEvent);
  }

  /**
   * Postpones due events to the next attempt of the event before them, so that they are not examined again and again.
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

  /** Whether anything is due, and when the next event will be. */
  async outlook(now: number): Promise<Outlook> {
    const { rows } = await sql<{ due: number | null; next: number | null }>`
      select
        (select min(next_attempt_at) from events
          where delivery_status = 'pending' and next_attempt_at <= ${now} and ${isPlaced}
            and lease_owner is null) as due,
        (select min(next_attempt_at) from events
          where delivery_status = 'pending' and next_attempt_at > ${now}) as next`.execute(this.store.db);
    const [row] = rows;
    return { due: typeof row?.due === 'number', nextAt: row?.next ?? undefined };
  }

  /** Records the outcomes of attempts, except those whose lease `owner` has lost. */
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
   * Makes an event due again at once, with a new series of attempts, together with all waiting events of its payment or
   * session. One that is being sent stays as it is. Returns the event, or undefined where there is none.
   */
  async redeliver(id: string, now: number): Promise<EventRecord | undefined> {
    await sql`
      update events set delivery_status = 'pending', next_attempt_at = ${now}, lease_owner = null, lease_until = 0,
        attempts = case when id = ${id} then 0 else attempts end,
        first_attempt_at = case when id = ${id} then null else first_attempt_at end
      where (id = ${id} or (delivery_status = 'pending'
          and aggregate_id = (select asked.aggregate_id from events as asked where asked.id = ${id})))
        and ${isPlaced} and lease_owner is null`.execute(this.store.db);
    return this.find(id);
  }

  /** Makes all events due that a crashed process had claimed. For the embedded store, which no other process uses. */
  async releaseAll(now: number): Promise<void> {
    await sql`
      update events set lease_owner = null, lease_until = 0, next_attempt_at = ${now}
      where delivery_status = 'pending' and lease_owner is not null`.execute(this.store.db);
  }

  /** The leases of events that are being sent, or were when their process died; the first to end first. */
  async leased(limit: number): Promise<EventLease[]> {
    const { rows } = await sql<EventLease>`
      select id, lease_owner as owner, lease_until as until from events
      where delivery_status = 'pending' and lease_owner is not null order by lease_until limit ${limit}`.execute(
      this.store.db,
    );
    return rows;
  }

  /** Makes those events due whose leases are still the ones given. */
  async giveBack(leases: readonly EventLease[], now: number): Promise<void> {
    if (leases.length === 0) return;
    const values = leases.map(
      ({ id, owner, until }) => sql`(cast(${id} as text), cast(${owner} as text), cast(${until} as bigint))`,
    );
    await sql`
      with abandoned (id, owner, until) as (values ${sql.join(values)})
      update events set lease_owner = null, lease_until = 0, next_attempt_at = ${now}
      from abandoned
      where events.id = abandoned.id and events.lease_owner = abandoned.owner and events.lease_until = abandoned.until
        and events.delivery_status = 'pending'`.execute(this.store.db);
  }

  /** How many waiting events are planned for later than `now`. */
  async countLater(now: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from events
      where delivery_status = 'pending' and next_attempt_at > ${now} and lease_owner is null`.execute(
      this.store.db,
    );
    return Number(rows[0]?.count ?? 0);
  }

  /**
   * Makes waiting events due now that are planned for later than `latest`, the next ones first: about `most` of them, because all of a
   * payment or session go together, or those that wait for others would go on waiting. Returns how many.
   */
  async bringForward(latest: number, now: number, most = MOST_BROUGHT_FORWARD): Promise<number> {
    const { rows } = await sql`
      update events set next_attempt_at = ${now} where id in (
        select events.id from events
        where delivery_status = 'pending' and next_attempt_at > ${latest} and lease_owner is null
          and aggregate_id in (
            select aggregate_id from events as next
            where delivery_status = 'pending' and next_attempt_at > ${latest} and lease_owner is null
            order by next_attempt_at limit ${sql.lit(most)}) ${this.lockFree()})
      returning id`.execute(this.store.db);
    return rows.length;
  }

  /** On PostgreSQL, locks free rows and skips the others. */
  private lockFree(): RawBuilder<unknown> {
    return this.store.kind === 'postgres' ? sql`for update of events skip locked` : sql``;
  }
}

/** Asked of each row by its key, so that no plan begins with all batches there are. */
const isPlaced = sql`(select placed.position from event_batches as placed where placed.id = events.batch) is not null`;

/** The ids of a payment's or a session's events. Those of version 0.1.0 do not name it; another index finds them. */
function idsOf(aggregateId: string): RawBuilder<unknown> {
  return sql`
    select id from events
      where id > ${`evt_${aggregateId}_`} and id < ${`evt_${aggregateId}\``} and aggregate_id = ${aggregateId}
    union select id from events where aggregate_id = ${aggregateId} and length(id) = 36`;
}

/** The statuses are literals in the statements; with parameters the partial indexes would not be used. */
function dueNow(now: number): RawBuilder<unknown> {
  return sql`
    select id, aggregate_id, sequence from events
    where delivery_status = 'pending' and next_attempt_at <= ${now} and ${isPlaced}
      and lease_owner is null
    order by next_attempt_at limit ${sql.lit(WINDOW)}`;
}
