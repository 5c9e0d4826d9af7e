import { Injectable, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import { addressGroup } from '../http/address.js';
import { newId, timeBound } from '../store/ids.js';
import { audit, type AuditRecord, type Tables } from '../store/schema.js';
import { Store } from '../store/store.js';
import { decodeRow, encodeRow, type StoredRow } from '../store/table.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

const MINUTE_MS = 60_000;
/** Addresses that get a row of their own in one minute. All others share one, so that nobody can flood the store. */
const MAX_ADDRESSES = 100;

/** Which rows to read: those that match all of it. */
export interface AuditFilter {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object?: string | undefined;
  /** Only rows older than the one with this id. */
  readonly cursor?: string | undefined;
}

/** Who did what, from where, and what came of it. Rows are only added. */
@Injectable()
export class Audit implements BeforeApplicationShutdown {
  #refused = new Map<string | null, AuditRecord>();
  #minute: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  now(): number {
    return this.store.clock.now();
  }

  /** Adds a row. Never throws: the call is over, and an error would have the merchant repeat it. The log has the row in any case. */
  async add(row: Omit<AuditRecord, 'id'>): Promise<void> {
    const record = { id: newId('aud', row.at), ...row };
    const { actor, action, outcome, object, address, requestId, count } = row;
    this.logger.info({
      ...{ event: 'audit', actor, action, outcome, count },
      ...(object !== null && { object }),
      ...(address !== null && { address }),
      ...(requestId !== null && { requestId }),
    });
    try {
      await this.store.db
        .insertInto('audit')
        .values(encodeRow(audit, record) as Tables['audit'])
        .execute();
    } catch (error) {
      logFailure(this.logger, { event: 'audit.unwritten' }, error);
    }
  }

  /** Counts a refused key: one row an address and minute, added when the minute is over. */
  refusedKey(address: string, requestId: string): void {
    const group = addressGroup(address);
    const key = this.#refused.has(group) || this.#refused.size < MAX_ADDRESSES ? group : null;
    const row = this.#refused.get(key);
    if (row) {
      row.count += 1;
      return;
    }
    const first = {
      id: '',
      at: this.now(),
      actor: 'unknown',
      action: 'authenticate',
      object: null,
      address: key,
    };
    this.#refused.set(key, { ...first, requestId, outcome: 'unauthorized', count: 1 });
    this.#minute ??= setTimeout(() => void this.beforeApplicationShutdown(), MINUTE_MS).unref();
  }

  /** Adds the rows of the keys that were refused since the last minute. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.#minute);
    this.#minute = undefined;
    const rows = [...this.#refused.values()];
    this.#refused = new Map();
    await Promise.all(rows.map(({ id: _, ...row }) => this.add(row)));
  }

  /** At most `limit` rows, newest first. */
  async list({ from, to, cursor, ...equal }: AuditFilter, limit: number): Promise<AuditRecord[]> {
    // An id begins with the time of its row.
    let query = this.store.db.selectFrom('audit').selectAll();
    if (from !== undefined) query = query.where('id', '>=', timeBound('aud', from));
    if (to !== undefined) query = query.where('id', '<', timeBound('aud', to));
    if (cursor !== undefined) query = query.where('id', '<', cursor);
    for (const column of ['actor', 'action', 'object'] as const) {
      const value = equal[column];
      if (value !== undefined) query = query.where(column, '=', value);
    }
    const rows = await query.orderBy('id', 'desc').limit(limit).execute();
    return rows.map((row) => decodeRow(audit, row as StoredRow));
  }
}
