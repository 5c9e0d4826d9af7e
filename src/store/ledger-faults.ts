import { sql, type Kysely } from 'kysely';
import type { Tables } from './schema.js';

const inward = `case when direction = 'in' then cast(amount as numeric) else -cast(amount as numeric) end`;
const sumOf = (kinds: string): string => `coalesce(sum(case when kind in (${kinds}) then ${inward} end), 0)`;

const FAULTS = `
  select payments.id from payments left join (
    select payment_id, ${sumOf(`'payment', 'correction'`)} as captured,
      -${sumOf(`'refund', 'refund_reversal'`)} as refunded, -${sumOf(`'chargeback', 'chargeback_reversal'`)} as disputed
    from movements group by payment_id) as entered on entered.payment_id = payments.id
  where coalesce(entered.captured, 0) <> coalesce(cast(amount_captured as numeric), 0)
    or coalesce(entered.refunded, 0)
      <> case when amount_captured is null then 0 else coalesce(cast(amount_refunded as numeric), 0) end
    or coalesce(entered.disputed, 0)
      <> case when amount_captured is null or payments.disputed = 0 then 0 else coalesce(cast(amount_disputed as numeric), 0) end
    or (status = 'succeeded' and amount_captured is null)`;

/**
 * The ids of payments, at most `limit`, whose amounts are not the sums of their entries in the ledger: there are none unless somebody wrote
 * into the database by hand. Reads everything.
 */
export async function ledgerFaults(db: Kysely<Tables>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${sql.raw(FAULTS)} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
