import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Store } from '../store/store.js';

/** Removes idempotency keys whose time is over. They answer nothing any more in any case: see `isReplay`. */
@Injectable()
export class ExpiredKeys {
  constructor(private readonly store: Store) {}

  /** Removes at most `limit` keys that expired before `now`, and returns how many. One that is used anew stays. */
  async forget(now: number, limit: number): Promise<number> {
    const { numAffectedRows } = await sql`
      delete from idempotency_keys where expires_at <= ${now} and (scope, key) in (
        select scope, key from idempotency_keys where expires_at <= ${now}
        order by expires_at limit ${limit})`.execute(this.store.db);
    return Number(numAffectedRows ?? 0n);
  }
}
