import { Injectable, Inject, type BeforeApplicationShutdown } from '@nestjs/common';
import { addressGroup } from '../http/address.js';
import { newId, timeBound } from '../store/ids.js';
import { narrowed, type Filter } from '../store/narrowed.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';

const MINUTE_MS = 60_000;
/** Addresses that get a row of their own in one minute. All others share one, so that nobody can flood the store. */
const MAX_ADDRESSES = 100;

/** One row. `count`: refused keys. */
export interface AuditRecord {
  id: string;
  at: number;
  actor: string;
  action: string;
  object: string | null;
  address: string | null;
  requestId: string | null;
  outcome: string;
  count: number;
}

type Call = Omit<AuditRecord, 'id'>;

/** Who did what, from where, and what came of it. Rows are only added. */
@Injectable()
export class Audit implements BeforeApplicationShutdown {
  #refused = new Map<string | null, Call>();
  #minute: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Store,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  now(): number {
    return this.store.now();
  }

  /** Adds a row. Never throws: the call is over, and an error would have the merchant repeat it. The log has the row in any case. */
  async add(row: Call): Promise<void> {
    const { at, actor, action, outcome, object, address, requestId, count } = row;
    this.logger.info({
      ...{ event: 'audit', actor, action, outcome, count },
      ...(object !== null && { object }),
      ...(address !== null && { address }),
      ...(requestId !== null && { requestId }),
    });
    try {
      await this.store.run({
        text: `insert into audit (id, at, actor, action, object, address, request_id, outcome, count)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        values: [newId('aud', at), at, actor, action, object, address, requestId, outcome, count],
      });
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
    this.#refused.set(key, {
      ...{ at: this.now(), actor: 'unknown', action: 'authenticate', object: null, address: key },
      ...{ requestId, outcome: 'unauthorized', count: 1 },
    });
    this.#minute ??= setTimeout(() => void this.beforeApplicationShutdown(), MINUTE_MS).unref();
  }

  /** Adds the rows of the keys that were refused since the last minute. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.#minute);
    this.#minute = undefined;
    const rows = [...this.#refused.values()];
    this.#refused = new Map();
    await Promise.all(rows.map((row) => this.add(row)));
  }

  /** At most `limit` rows, newest first. */
  list(
    { from, to, cursor, actor, action, object }: Filter<'actor' | 'action' | 'object' | 'cursor'>,
    limit: number,
  ): Promise<AuditRecord[]> {
    // An id begins with the time of its row.
    const { where, values } = narrowed({
      'id >= ?': from === undefined ? undefined : timeBound('aud', from),
      'id < ?': to === undefined ? undefined : timeBound('aud', to),
      ...{ '? > id': cursor, 'actor = ?': actor, 'action = ?': action, 'object = ?': object },
    });
    return this.store.rows({
      text: `select id, at, actor, action, object, address, request_id as "requestId", outcome, count from audit where ${where}
        order by id desc limit ?`,
      values: [...values, limit],
    });
  }
}
