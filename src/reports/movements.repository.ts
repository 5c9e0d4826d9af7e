import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { type MovementKind, type MovementRecord, movements } from '../store/schema.js';
import { Store } from '../store/store.js';
import { columnsOf, decodeRow, type StoredRow } from '../store/table.js';
import { Problem } from '../http/problems/problem.js';

/** Where a page ends of a list by time: the time of its last row, in milliseconds, and its id. */
export interface Place {
  at: number;
  id: string;
}

/** Writes where a page ends. */
export function writePlace({ at, id }: Place): string {
  return Buffer.from(`${at.toString(36)}.${id}`).toString('base64url');
}

/** Reads what `writePlace` wrote. Throws `validation-failed` for anything else. */
export function readPlace(text: string): Place {
  const match = /^([0-9a-z]{1,10})\.([a-z]{3}_[A-Za-z0-9_-]{1,80})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  const [, at, id] = match ?? [];
  if (at === undefined || id === undefined) {
    throw new Problem('validation-failed', 'The query does not fit.', {
      errors: [{ pointer: '/cursor', message: 'must be a nextCursor of this list' }],
    });
  }
  return { at: parseInt(at, 36), id };
}

/** Which movements to list. What is absent leaves all in. */
export interface MovementFilter {
  /** Moved at this time or later, in milliseconds. */
  from?: number | undefined;
  /** Moved before this time. */
  to?: number | undefined;
  kind?: MovementKind | undefined;
  currency?: string | undefined;
  reference?: string | undefined;
  paymentId?: string | undefined;
}

/** The last movement of a page. They are listed by when money moved, the oldest first. */
export type MovementPlace = Pick<MovementRecord, 'at' | 'id'>;

/** What a report has settled of a movement. Minor units. */
export interface Settled {
  settlementId: string;
  line: number;
  at: number | null;
  gross: bigint;
  fee: bigint | null;
  net: bigint | null;
}

interface Match extends Settled {
  movementId: string;
}

const COLUMNS = sql.join(columnsOf(movements).map((column) => sql.ref(column)));

/** Reads the ledger. */
@Injectable()
export class MovementsRepository {
  constructor(private readonly store: Store) {}

  /** At most `limit` movements after a place, the oldest first. Each filter has an index, in this order. */
  async list(filter: MovementFilter, limit: number, after?: MovementPlace): Promise<MovementRecord[]> {
    const conditions = conditionsOf(filter, after);
    const parts = (await this.waysOf(filter)).map((way) => {
      const all = sql.join([...way, ...conditions], sql` and `);
      return sql`select * from (
        select ${COLUMNS} from movements where ${all} order by at, id limit ${limit}) as part`;
    });
    if (parts.length === 0) return [];
    const { rows } = await sql<StoredRow>`
      ${sql.join(parts, sql` union all `)} order by at, id limit ${limit}`.execute(this.store.db);
    return rows.map((row) => decodeRow(movements, row));
  }

  /** What reports have settled of these movements, by id. One that is settled in part is missing. */
  async settledOf(some: readonly Pick<MovementRecord, 'id' | 'amount'>[]): Promise<Map<string, Settled>> {
    const settled = new Map<string, Settled>();
    if (some.length === 0) return settled;
    const { rows } = await sql<StoredRow>`
      select movement_id, settlement_id, line, settlement_matches.at, gross, fee, net
      from settlement_matches join settlements on settlements.id = settlement_matches.settlement_id
      where movement_id in (${sql.join(some.map(({ id }) => id))}) and finished_at is not null and gross <> '0'
      order by coalesce(settlement_matches.at, 0), settlement_id, line`.execute(this.store.db);
    const found = Map.groupBy(rows.map(readMatch), ({ movementId }) => movementId);
    for (const { id, amount } of some) {
      const parts = found.get(id);
      const whole = parts && together(parts);
      if (whole && whole.gross >= amount) settled.set(id, whole);
    }
    return settled;
  }

  /** By which index a list is read; several where their pages are put together. */
  private async waysOf({
    paymentId,
    reference,
    kind,
    currency,
  }: MovementFilter): Promise<RawBuilder<unknown>[][]> {
    if (paymentId !== undefined) return [[sql`payment_id = ${paymentId}`]];
    if (reference !== undefined)
      return [[sql`payment_id in (select id from payments where payments.reference = ${reference})`]];
    if (kind !== undefined && kind !== 'payment') return [[sql`kind <> 'payment'`]];
    const currencies = currency === undefined ? await this.currencies() : [currency];
    return currencies.map((one) => [sql`currency = ${one}`]);
  }

  /** Those of any movement, each found by one look into the index. */
  async currencies(): Promise<string[]> {
    const found: string[] = [];
    for (let last = ''; ;) {
      const { rows } = await sql<{ currency: string }>`
        select currency from movements where currency > ${last} order by currency limit 1`.execute(
        this.store.db,
      );
      const [row] = rows;
      if (!row) return found;
      found.push(row.currency);
      last = row.currency;
    }
  }
}

function conditionsOf(filter: MovementFilter, after?: MovementPlace): RawBuilder<unknown>[] {
  const { from, to, kind, currency, reference, paymentId } = filter;
  return [
    ...(after === undefined ? [] : [sql`(at, id) > (${after.at}, ${after.id})`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${to}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
    ...(paymentId === undefined ? [] : [sql`payment_id = ${paymentId}`]),
  ];
}

function readMatch(row: StoredRow): Match {
  const minor = (value: StoredRow[string] | undefined): bigint | null =>
    value === null || value === undefined ? null : BigInt(value);
  return {
    movementId: String(row['movement_id']),
    settlementId: String(row['settlement_id']),
    line: Number(row['line']),
    at: row['at'] === null ? null : Number(row['at']),
    gross: minor(row['gross']) ?? 0n,
    fee: minor(row['fee']),
    net: minor(row['net']),
  };
}

/** Of a payment that was settled in parts the sums, and line and time of the last one. */
function together(parts: readonly Match[]): Settled | undefined {
  const last = parts.at(-1);
  if (!last) return undefined;
  const { settlementId, line, at } = last;
  const sum = (of: (part: Match) => bigint | null): bigint | null =>
    parts.reduce<bigint | null>((total, part) => {
      const one = of(part);
      return total === null || one === null ? null : total + one;
    }, 0n);
  return {
    ...{ settlementId, line, at },
    gross: sum(({ gross }) => gross) ?? 0n,
    fee: sum(({ fee }) => fee),
    net: sum(({ net }) => net),
  };
}
