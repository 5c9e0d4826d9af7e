import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { DUPLICATES } from '../payments/state/payment-list.js';
import { Store } from '../store/store.js';

/** What is open is counted up to here: beyond that a figure says nothing more. */
export const COUNTED = 10_000;

const OPEN = ['processing', 'requires_action', 'authorized'] as const;

/** What is open now. Each figure stops at `COUNTED`. */
export interface OpenNow {
  processing: number;
  requiresAction: number;
  authorized: number;
  needsAttention: number;
  duplicates: number;
  oldest: { id: string; createdAt: number } | null;
  undelivered: number;
  openDifferences: number;
}

/** The last settlement report. */
export interface LastSettlement {
  id: string;
  receivedAt: number;
  differences: number;
}

/** Figures of the present moment, each from an index of what is open. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly store: Store) {}

  async openNow(): Promise<OpenNow> {
    const [processing = 0, requiresAction = 0, authorized = 0] = await Promise.all(
      OPEN.map((status) => this.count(sql`payments where status = ${status}`)),
    );
    const needsAttention = await this.count(sql`payments where needs_attention = 1`);
    const duplicates = await this.count(sql`payments where ${DUPLICATES}`);
    const undelivered = await this.count(sql`events where delivery_status = 'pending'`);
    return {
      processing,
      requiresAction,
      authorized,
      needsAttention,
      duplicates,
      undelivered,
      openDifferences: await this.count(sql`differences where state = 'open'`),
      oldest: await this.oldest(),
    };
  }

  async lastSettlement(): Promise<LastSettlement | undefined> {
    const { rows } = await sql<{ id: string; received_at: number; counts: string }>`
      select id, received_at, counts from settlements where finished_at is not null
      order by id desc limit 1`.execute(this.store.db);
    const [row] = rows;
    if (!row) return undefined;
    const counts = JSON.parse(row.counts) as Record<string, number>;
    // What has a former name too is counted once. Versions before 0.3.0 counted by the former names alone.
    const twice = 'settled_twice' in counts ? ['twice_there', 'missing_there'] : [];
    const differences = Object.entries(counts).reduce(
      (sum, [kind, count]) => (twice.includes(kind) ? sum : sum + count),
      0,
    );
    return { id: row.id, receivedAt: Number(row.received_at), differences };
  }

  private async count(what: RawBuilder<unknown>): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from ${what} limit ${sql.lit(COUNTED)}) as found`.execute(
      this.store.db,
    );
    return Number(rows[0]?.count);
  }

  private async oldest(): Promise<OpenNow['oldest']> {
    const parts = OPEN.map(
      (status) => sql`select * from (
        select id, created_at from payments where status = ${status} order by id limit 1) as part`,
    );
    const { rows } = await sql<{ id: string; created_at: number }>`
      ${sql.join(parts, sql` union all `)} order by id limit 1`.execute(this.store.db);
    const [row] = rows;
    return row ? { id: row.id, createdAt: Number(row.created_at) } : null;
  }
}
