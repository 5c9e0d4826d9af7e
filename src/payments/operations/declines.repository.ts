import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { POSTGRES_NOW } from '../../store/count-declines.js';
import { Store } from '../../store/store.js';
import { WINDOW_MS } from './card-testing.js';

/** Declines count for ten minutes. They are kept for an hour so that an operator can look at them. */
const KEPT_MS = 60 * 60_000;

/** Deletes old declines. The payment writer writes and counts them. */
@Injectable()
export class DeclinesRepository {
  constructor(private readonly store: Store) {}

  /**
   * Deletes at most `limit` declines that no longer count, and returns how many. Declines from the future, written
   * before the clock was set back, are deleted too: otherwise they would count when that time comes.
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

  /** The time in `offset` milliseconds, by the clock that dates the rows. */
  private now(offset: number): RawBuilder<number> {
    return this.store.kind === 'postgres'
      ? sql<number>`${sql.raw(POSTGRES_NOW)} + ${sql.lit(offset)}`
      : sql<number>`${this.store.clock.now() + offset}`;
  }
}
