import { Injectable } from '@nestjs/common';
import { Store, type MovementRow } from '../../store/store.js';
import { settledSql, type SettledRow } from '../differences/parts.js';
import { narrowed, type Filter } from '../../store/narrowed.js';

/** An entry of the ledger with what reports say of it. Amounts are minor units as text. */
export type LedgerEntry = Omit<MovementRow, 'amount' | 'late'> & {
  amount: string;
  late: number;
  settled: SettledRow | null;
};

const COLUMNS = `id, kind, direction, cast(amount as text) as amount, currency, at, recorded_at as "recordedAt", late,
  payment_id as "paymentId", reference, gateway_reference as "gatewayReference", transaction_ref as "transactionRef",
  refund_id as "refundId", method, actor, reason, source`;

/** Reads the ledger. It is written in the commits of payments. */
@Injectable()
export class MovementsRepository {
  constructor(private readonly store: Store) {}

  /** Oldest first, behind a place. */
  async list(
    {
      from,
      to,
      kind,
      currency,
      reference,
      paymentId,
    }: Filter<'kind' | 'currency' | 'reference' | 'paymentId'>,
    limit: number,
    after?: { at: number; id: string },
  ): Promise<LedgerEntry[]> {
    const { where, values } = narrowed({
      ...{ 'at >= ?': from, 'at < ?': to, 'kind = ?': kind, 'currency = ?': currency },
      'gateway_reference in (select client_ref from payments where reference = ?)': reference,
      'gateway_reference in (select client_ref from payments where id = ?)': paymentId,
      '(at, id) > (?, ?)': after && [after.at, after.id],
    });
    const rows = await this.store.rows<Omit<LedgerEntry, 'settled'>>({
      text: `select ${COLUMNS} from movements where ${where} order by at, id limit ?`,
      values: [...values, limit],
    });
    const settled = await this.store.rows<SettledRow>({
      text: settledSql(this.store.kind),
      values: [JSON.stringify([...new Set(rows.map((row) => row.gatewayReference))]), '[]'],
    });
    const byMovement = new Map(settled.map((row) => [row.movement, row]));
    return rows.map((row) => ({ ...row, settled: byMovement.get(row.id) ?? null }));
  }
}
