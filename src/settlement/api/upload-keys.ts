import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import { hasExpired, isReplay, keepKey, type KeyedRequest } from '../../idempotency/idempotency.js';
import { decodeRow, encodeRow, type RowOf, type StoredRow } from '../../store/table.js';
import { idempotencyKeys, type IdempotencyRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';

/** A request that dies holds its key no longer than this. */
const RUNNING_MS = 30_000;
const MAX_TRIES = 5;

/** A call whose content is only known when all of it has arrived. */
export type Upload = Pick<KeyedRequest, 'scope' | 'key' | 'path'>;

/** A call whose key another one took at the same moment: it is tried again, and then repeats that one. */
class TakenMeanwhile extends Error {}

/** What is asked of a store, in a transaction or without one. */
type Database = Store['db'];

/**
 * Idempotency keys of calls about the books. Those that send a file take theirs first: what they ask for is only known at the file's end.
 * Others keep theirs in the commit of what they do.
 */
@Injectable()
export class UploadKeys {
  constructor(
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Does what a call asks for and keeps its key, in one commit: of a call that dies before, nothing is left, and its repeat does it. True
   * where a call with the key has done it already. Throws `idempotency-in-flight`, `idempotency-key-reused`, and what `act` throws.
   */
  async once(request: KeyedRequest, act: (db: Database) => Promise<void>): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.store.db.transaction().execute(async (transaction) => {
          const now = this.store.clock.now();
          const found = await this.find(request, transaction);
          if (hasFinished(found, now)) return isReplay(found, undefined, request, this.keys(), now);
          const row = encoded(this.record(request, null));
          if (!(await put(transaction, row, found))) throw new TakenMeanwhile();
          await act(transaction);
          return false;
        });
      } catch (error) {
        if (!(error instanceof TakenMeanwhile)) throw error;
        if (tries >= MAX_TRIES) throw justBegun();
      }
    }
  }

  /**
   * Takes the call's key. True where a call with it has finished, so that this one may only repeat it. Throws
   * `idempotency-in-flight`.
   */
  async begin(upload: Upload): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const now = this.store.clock.now();
      const found = await this.find(upload);
      if (hasFinished(found, now)) return true;
      if (await this.take(upload, found, now)) return false;
      if (tries >= MAX_TRIES) throw justBegun();
    }
  }

  /** What a finished call with this key has made; null: nothing, or there was none. */
  async madeBy(upload: Upload): Promise<string | null> {
    const found = await this.find(upload);
    return found && !hasExpired(found, this.store.clock.now()) ? found.operationId : null;
  }

  /** Shows that the call still runs. */
  async renew(upload: Upload): Promise<void> {
    await this.set(upload, { running_until: this.store.clock.now() + RUNNING_MS });
  }

  /** Throws `idempotency-key-reused` where the finished call had another content. */
  async assertSame(upload: Upload, content: object): Promise<void> {
    const found = await this.find(upload);
    isReplay(found, undefined, { ...upload, content }, this.keys(), this.store.clock.now());
  }

  /** Keeps the key of a call that has done what it was asked for. */
  async finish(upload: Upload, content: object): Promise<void> {
    const { fingerprint, expiresAt } = this.record({ ...upload, content }, null);
    await this.set(upload, { fingerprint, expires_at: expiresAt, running_until: null });
  }

  /** Gives the key of a call back that was refused. */
  async release({ scope, key }: Upload): Promise<void> {
    await this.store.db
      .deleteFrom('idempotency_keys')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('running_until', 'is not', null)
      .execute();
  }

  private async take(upload: Upload, found: IdempotencyRecord | undefined, now: number): Promise<boolean> {
    const record = this.record({ ...upload, content: null }, now + RUNNING_MS);
    // Nobody can tell yet what is asked for, so no key's name stands before it.
    return put(this.store.db, encoded({ ...record, fingerprint: 'pending.' }), found);
  }

  private async find(
    { scope, key }: Upload,
    db: Database = this.store.db,
  ): Promise<IdempotencyRecord | undefined> {
    const row = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && decodeRow(idempotencyKeys, row as StoredRow);
  }

  private async set({ scope, key }: Upload, values: Partial<RowOf<IdempotencyRecord>>): Promise<void> {
    await this.store.db
      .updateTable('idempotency_keys')
      .set(values)
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('running_until', 'is not', null)
      .execute();
  }

  private record(request: KeyedRequest, runningUntil: number | null): IdempotencyRecord {
    const now = this.store.clock.now();
    const kept = keepKey(request, this.keys(), { sessionId: '', sessionExpiresAt: now }, now);
    return { ...kept, sessionId: null, runningUntil };
  }

  private keys(): readonly string[] {
    return this.config.keys.secretKeys.unwrap();
  }
}

/** Whether a call with this key has ended. Throws `idempotency-in-flight` while one runs; one that died counts as if it were not there. */
function hasFinished(found: IdempotencyRecord | undefined, now: number): boolean {
  if (!found || hasExpired(found, now)) return false;
  const running = found.operationId === null && found.runningUntil !== null;
  if (running && (found.runningUntil ?? 0) > now)
    throw new Problem(
      'idempotency-in-flight',
      'The first request with this key still runs: ask again shortly.',
    );
  return !running;
}

function justBegun(): Problem {
  return new Problem(
    'idempotency-in-flight',
    'Another request with this key has just begun: ask again shortly.',
  );
}

function encoded(record: IdempotencyRecord): RowOf<IdempotencyRecord> {
  return encodeRow(idempotencyKeys, record) as unknown as RowOf<IdempotencyRecord>;
}

/** Writes a key down in place of the one that was found. False where another call has done so meanwhile. */
async function put(
  db: Database,
  row: RowOf<IdempotencyRecord>,
  found: IdempotencyRecord | undefined,
): Promise<boolean> {
  if (!found) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set(row)
    .where('scope', '=', found.scope)
    .where('key', '=', found.key)
    .where('created_at', '=', found.createdAt)
    .where('running_until', found.runningUntil === null ? 'is' : '=', found.runningUntil)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
