import type { MovementKind, MovementRow, SqlValue, Store } from '../../store/store.js';
import { settledSql, type SettledRow } from '../differences/parts.js';

/** Which movements to list; absent members do not narrow. Times are milliseconds since the epoch. */
export interface MovementFilter {
  from?: number | undefined;
  to?: number | undefined;
  kind?: string | undefined;
  currency?: string | undefined;
  reference?: string | undefined;
  paymentId?: string | undefined;
}

/** How reports settle a movement. Amounts are minor units; of the part's first movement alone. */
export interface Settled {
  settlementId: string;
  line: number;
  at: number | null;
  sums: { gross: bigint; fee: bigint; net: bigint; netCurrency: string } | null;
}

/** An entry of the ledger with what reports say of it. */
export type LedgerEntry = MovementRow & { settled: Settled | null };

type Row = Record<'id' | 'kind' | 'direction' | 'amount' | 'currency' | 'payment_id' | 'reference', string> &
  Record<'gateway_reference' | 'method' | 'source', string> &
  Record<'transaction_ref' | 'refund_id' | 'actor' | 'reason', string | null> &
  Record<'at' | 'recorded_at' | 'late', number>;

const COLUMNS = `id, kind, direction, cast(amount as text) as amount, currency, at, recorded_at, late, payment_id, reference,
  gateway_reference, transaction_ref, refund_id, method, actor, reason, source`;

/** Reads the ledger. It is written in the commits of payments. */
export class MovementsRepository {
  constructor(private readonly store: Store) {}

  /** Oldest first, behind a place. */
  async list(
    { from, to, kind, currency, reference, paymentId }: MovementFilter,
    limit: number,
    after?: { at: number; id: string },
  ): Promise<LedgerEntry[]> {
    const conditions: [string, SqlValue[]][] = [];
    if (from !== undefined) conditions.push(['at >= ?', [from]]);
    if (to !== undefined) conditions.push(['at < ?', [to]]);
    if (kind !== undefined) conditions.push(['kind = ?', [kind]]);
    if (currency !== undefined) conditions.push(['currency = ?', [currency]]);
    if (reference !== undefined)
      conditions.push([
        'gateway_reference in (select client_ref from payments where reference = ?)',
        [reference],
      ]);
    if (paymentId !== undefined)
      conditions.push(['gateway_reference = (select client_ref from payments where id = ?)', [paymentId]]);
    if (after) conditions.push(['at >= ? and (at > ? or id > ?)', [after.at, after.at, after.id]]);
    const where = conditions.map(([condition]) => condition).join(' and ') || 'true';
    const rows = await this.store.rows<Row>({
      text: `select ${COLUMNS} from movements where ${where} order by at, id limit ?`,
      values: [...conditions.flatMap(([, values]) => values), limit],
    });
    const settled = await this.settled([...new Set(rows.map((row) => row.gateway_reference))]);
    return rows.map((row) => ({ ...entryOf(row), settled: settled.get(row.id) ?? null }));
  }

  /** By movement. */
  private async settled(refs: readonly string[]): Promise<Map<string, Settled>> {
    if (refs.length === 0) return new Map();
    const rows = await this.store.rows<SettledRow>({
      text: settledSql(this.store.kind),
      values: [JSON.stringify(refs), '[]'],
    });
    return new Map(rows.map((row) => [row.movement, settledOf(row)]));
  }
}

function entryOf(row: Row): MovementRow {
  return {
    ...{ id: row.id, kind: row.kind as MovementKind, direction: row.direction as 'in' | 'out' },
    ...{ amount: BigInt(row.amount), currency: row.currency, at: row.at, recordedAt: row.recorded_at },
    ...{ late: row.late === 1, paymentId: row.payment_id, reference: row.reference },
    ...{ gatewayReference: row.gateway_reference, transactionRef: row.transaction_ref },
    ...{ refundId: row.refund_id, method: row.method, actor: row.actor, reason: row.reason },
    source: row.source as 'gateway' | 'person',
  };
}

function settledOf({ settlement, line, at, first, gross, fee, net, net_currency }: SettledRow): Settled {
  const sums = { gross: BigInt(gross), fee: BigInt(fee), net: BigInt(net), netCurrency: net_currency };
  return { settlementId: settlement, line, at, sums: first === 1 ? sums : null };
}
