import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { Changes, Snapshot, Wanted } from '../store/payment-writer.js';
import type { IdempotencyRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import { hasExpired, isReplay, keepKey, type KeyedRequest, type Made } from './idempotency.js';
import { sql } from 'kysely';

/** What a request that was not made before does. */
interface KeyedDecision<T> {
  changes: Omit<Changes, 'idempotency'>;
  result: T;
  /** What its key answers by from now on. Absent: the key stays as it is. */
  made?: Made;
}

/** A request that is decided once for its key. Runs again when the write is repeated. Pure. */
export interface Once<T> {
  /** Throws where the caller may not even learn what was answered before. */
  admit?: (snapshot: Snapshot, now: number) => void;
  /** The answer of a request that was made before. */
  replay: (snapshot: Snapshot) => T;
  /**
   * Decides on a new one. Throws to refuse it.
   *
   * @param known whether the key is in use, by a request that died before its end
   */
  decide: (snapshot: Snapshot, now: number, known: boolean) => KeyedDecision<T>;
  /** The kept key as it really stands. Absent: as it is kept. */
  standing?: (kept: IdempotencyRecord, snapshot: Snapshot, now: number) => IdempotencyRecord;
}

/** Writes what requests ask for once for each idempotency key, together with the key. */
@Injectable()
export class KeyedWriter {
  constructor(
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Throws where the first request with the key still runs or had another content. Without a request, which is one of the service's
   * own, it is always decided.
   */
  write<T>(
    request: KeyedRequest | undefined,
    wanted: Omit<Wanted, 'idempotency'>,
    { admit, replay, decide, standing = asKept }: Once<T>,
  ): Promise<T> {
    const { writer, clock } = this.store;
    if (!request) return writer.write(wanted, (snapshot) => decide(snapshot, clock.now(), false));
    const secretKeys = this.config.keys.secretKeys.unwrap();
    const { scope, key } = request;
    return writer.write({ ...wanted, idempotency: { scope, key } }, (snapshot) => {
      const now = clock.now();
      admit?.(snapshot, now);
      const { idempotency: kept, keyedOperation } = snapshot;
      const known = kept && !hasExpired(kept, now) ? standing(kept, snapshot, now) : undefined;
      if (isReplay(known, keyedOperation, request, secretKeys, now)) {
        return { changes: {}, result: replay(snapshot) };
      }
      const { changes, result, made } = decide(snapshot, now, known !== undefined);
      if (!made) return { changes, result };
      return { changes: { ...changes, idempotency: keepKey(request, secretKeys, made, now) }, result };
    });
  }
}

function asKept(kept: IdempotencyRecord): IdempotencyRecord {
  return kept;
}

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
