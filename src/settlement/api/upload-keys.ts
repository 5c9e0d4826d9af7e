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

/** Idempotency keys of calls that send a file: what they ask for is only known at the file's end. */
@Injectable()
export class UploadKeys {
  constructor(
    private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes the call's key. True where a call with it has finished, so that this one may only repeat it. Throws
   * `idempotency-in-flight`.
   */
  async begin(upload: Upload): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      const now = this.store.clock.now();
      const found = await this.find(upload);
      if (found && !hasExpired(found, now)) {
        const running = found.operationId === null && found.runningUntil !== null;
        if (!running) return true;
        if ((found.runningUntil ?? 0) > now)
          throw new Problem(
            'idempotency-in-flight',
            'The first request with this key still runs: ask again shortly.',
          );
      }
      if (await this.take(upload, found, now)) return false;
      if (tries >= MAX_TRIES)
        throw new Problem(
          'idempotency-in-flight',
          'Another request with this key has just begun: ask again shortly.',
        );
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
    const row = encodeRow(idempotencyKeys, {
      ...record,
      fingerprint: 'pending.',
    }) as unknown as RowOf<IdempotencyRecord>;
    const { db } = this.store;
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
      .where('scope', '=', upload.scope)
      .where('key', '=', upload.key)
      .where('created_at', '=', found.createdAt)
      .where('running_until', found.runningUntil === null ? 'is' : '=', found.runningUntil)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  private async find({ scope, key }: Upload): Promise<IdempotencyRecord | undefined> {
    const row = await this.store.db
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
    return this.config.keys.secretKeys.current();
  }
}
