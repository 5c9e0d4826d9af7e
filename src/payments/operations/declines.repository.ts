import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { POSTGRES_NOW } from '../../store/count-declines.js';
import { Store } from '../../store/store.js';
import { WINDOW_MS } from './card-testing.js';

/** They count for ten minutes; an hour leaves something to look at. */
const KEPT_MS = 60 * 60_000;

/** Forgets declines. They are written and counted through the payment writer. */
@Injectable()
export class DeclinesRepository {
  constructor(private readonly store: Store) {}

  /**
   * Removes declines that count no more, at most `limit` old ones, and says how many. So go those from the future, written before the
   * clock was set back: otherwise they would count when that time comes.
   */
  async forget(limit: number): Promise<number> {
    const { db } = this.store;
    const old = db
      .selectFrom('declines')
      .select('id')
      .where('at', '<', this.now(-KEPT_MS))
      .orderBy('at')
      .limit(limit);
    const ahead = db
      .selectFrom('declines')
      .select('id')
      .where('at', '>', this.now(WINDOW_MS))
      .orderBy('at')
      .limit(limit);
    let removed = 0;
    for (const stale of [old, ahead]) {
      const { numDeletedRows } = await db.deleteFrom('declines').where('id', 'in', stale).executeTakeFirst();
      removed += Number(numDeletedRows);
    }
    return removed;
  }

  /** So many milliseconds from now, by the clock that the rows were written by. */
  private now(offset: number): RawBuilder<number> {
    return this.store.kind === 'postgres'
      ? sql<number>`${sql.raw(POSTGRES_NOW)} + ${sql.lit(offset)}`
      : sql<number>`${Date.now() + offset}`;
  }
}
