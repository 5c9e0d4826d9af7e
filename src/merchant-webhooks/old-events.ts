import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { SUMMED_MOVEMENTS } from '../store/meta.js';
import { Store } from '../store/store.js';

interface Seen {
  id: string;
  batch: number;
  ordinal: number;
  created_at: number;
  delivery_status: string;
}

/** Before the first event. */
const BEGINNING = { batch: 0, ordinal: 0 };

/**
 * Removes events that are over, the oldest first. It goes through them once, a little at a time, and remembers where it stands, so
 * that what must stay is not looked at again and again; another process begins anew, which only costs time.
 */
@Injectable()
export class OldEvents {
  private place = BEGINNING;

  constructor(private readonly store: Store) {}

  /**
   * Looks at the next `limit` events and removes those from before `before`, but for what waits for its delivery and for the newest
   * batch, after which the order goes on. Says whether there may be more.
   */
  async remove(before: number, limit: number): Promise<boolean> {
    const newest = await this.newestBatch();
    const seen = newest === undefined ? [] : await this.next(newest, limit);
    const old = seen.filter(({ created_at }) => Number(created_at) < before);
    await this.delete(old.filter(({ delivery_status }) => delivery_status !== 'pending').map(({ id }) => id));
    await this.deleteEmpty([...new Set(old.map(({ batch }) => Number(batch)))]);
    const last = seen.at(-1);
    // Batches are nearly in the order of the time: behind young events there are hardly any old ones.
    if (last === undefined || old.length === 0 || seen.length < limit) {
      this.place = BEGINNING;
      return false;
    }
    this.place = { batch: Number(last.batch), ordinal: Number(last.ordinal) };
    return true;
  }

  /** Of those that have a place in the order. */
  private async newestBatch(): Promise<number | undefined> {
    const { rows } = await sql<{ id: number }>`
      select id from event_batches where position is not null order by position desc limit 1`.execute(
      this.store.db,
    );
    return rows[0] && Number(rows[0].id);
  }

  private async next(newest: number, limit: number): Promise<Seen[]> {
    const { batch, ordinal } = this.place;
    const { rows } = await sql<Seen>`
      select id, batch, ordinal, created_at, delivery_status from events
      where (batch, ordinal) > (${batch}, ${ordinal}) and batch <> ${newest}
        and (select position from event_batches where event_batches.id = events.batch) is not null
      order by batch, ordinal limit ${limit}`.execute(this.store.db);
    return rows;
  }

  /** The sums of the ledger know by the batch which movements they hold. The embedded store has another order for that. */
  private get summed(): RawBuilder<unknown> {
    if (this.store.kind === 'embedded') return sql``;
    return sql`and (
      position <= (select cast(value::json ->> 'mark' as bigint) from meta where name = ${SUMMED_MOVEMENTS})
      or not exists (select 1 from movements where movements.batch = event_batches.id))`;
  }

  /** One that is redelivered meanwhile waits again, and stays. */
  private async delete(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await sql`
      delete from events where id in (${sql.join(ids)}) and delivery_status <> 'pending'`.execute(
      this.store.db,
    );
  }

  private async deleteEmpty(batches: readonly number[]): Promise<void> {
    if (batches.length === 0) return;
    await sql`
      delete from event_batches where id in (${sql.join(batches)}) ${this.summed}
        and not exists (select 1 from events where events.batch = event_batches.id)`.execute(this.store.db);
  }
}
