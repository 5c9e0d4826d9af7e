import { sql, type Kysely } from 'kysely';
import type { Tables } from './schema.js';

const inward = `case when direction = 'in' then cast(amount as numeric) else -cast(amount as numeric) end`;
const sumOf = (kinds: string): string => `coalesce(sum(case when kind in (${kinds}) then ${inward} end), 0)`;
const entered = (sum: string): string => `coalesce(entered.${sum}, 0)`;

/**
 * The payments whose amounts are not the sums of their entries in the ledger, or that hold money though they are voided. There are none
 * unless somebody wrote into the database by hand, or a process of a version without a ledger did beside. Reads everything.
 */
export const LEDGER_FAULTS = `
  select payments.id, reference, updated_at, cast(${entered('captured')} as text) as captured, cast(${entered('refunded')} as text) as refunded,
    cast(${entered('disputed')} as text) as disputed, cast(${entered('held')} as text) as held
  from payments left join (
    select payment_id, ${sumOf(`'payment', 'correction'`)} as captured, coalesce(sum(${inward}), 0) as held,
      -${sumOf(`'refund', 'refund_reversal'`)} as refunded, -${sumOf(`'chargeback', 'chargeback_reversal'`)} as disputed
    from movements group by payment_id) as entered on entered.payment_id = payments.id
  where (${entered('captured')} <> coalesce(cast(amount_captured as numeric), 0)
    or ${entered('refunded')}
      <> case when amount_captured is null then 0 else coalesce(cast(amount_refunded as numeric), 0) end
    or ${entered('disputed')}
      <> case when amount_captured is null or payments.disputed = 0 then 0 else coalesce(cast(amount_disputed as numeric), 0) end
    or (status = 'succeeded' and amount_captured is null)
    or (status = 'voided' and ${entered('held')} <> 0)
    or (amount_captured is not null and payments.disputed = 1 and amount_disputed is null))`;

/** A payment that its entries do not agree with, and what these come to, in minor units. */
export interface LedgerFault {
  id: string;
  reference: string;
  /** When the payment was written last, in milliseconds since the epoch. */
  updatedAt: number;
  captured: bigint;
  refunded: bigint;
  disputed: bigint;
  /** What they leave: all of them together. */
  held: bigint;
}

/** At most `limit` of them, after an id, in the order of their ids. */
export async function ledgerFaults(db: Kysely<Tables>, limit: number, after = ''): Promise<LedgerFault[]> {
  type Row = Record<'id' | 'reference' | 'captured' | 'refunded' | 'disputed' | 'held', string> & {
    updated_at: string | number;
  };
  const { rows } = await sql<Row>`${sql.raw(LEDGER_FAULTS)}
    and payments.id > ${after} order by payments.id limit ${limit}`.execute(db);
  return rows.map(({ id, reference, updated_at: updatedAt, captured, refunded, disputed, held }) => ({
    ...{
      id,
      reference,
      updatedAt: Number(updatedAt),
      captured: BigInt(captured),
      refunded: BigInt(refunded),
    },
    ...{ disputed: BigInt(disputed), held: BigInt(held) },
  }));
}
