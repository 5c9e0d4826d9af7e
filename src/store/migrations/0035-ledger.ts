import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { NOT_IN_ADD_ONLY, takeBack } from '../guarded-tables.js';

/**
 * The ledger: each move of money is an entry that never changes. What people wrote and which report has settled it stand beside it, and so
 * do sums of what has been summed already.
 */
const tables = [
  `create table movements (
    id text not null primary key,
    payment_id text not null,
    kind text not null,
    direction text not null,
    amount text not null,
    currency text not null,
    method text not null,
    at bigint not null,
    recorded_at bigint not null,
    reference text not null,
    gateway_reference text not null,
    transaction_ref text,
    refund_id text,
    text_id text,
    actor text not null,
    source text not null,
    batch bigint
  )`,
  // In the order of a list. There are few currencies, so a list of all of them looks into each.
  'create index movements_currency on movements (currency, at, id)',
  'create index movements_payment on movements (payment_id)',
  `create index movements_kind on movements (kind, at, id) where kind <> 'payment'`,
  `create index movements_dashboard on movements (at, id) where kind = 'refund' and refund_id is null`,
  `create table written_texts (
    id text not null primary key,
    payment_id text,
    content text,
    actor text not null,
    at bigint not null
  )`,
  'create index written_texts_payment on written_texts (payment_id) where payment_id is not null',
  `create table settlement_matches (
    settlement_id text not null,
    line bigint not null,
    movement_id text not null,
    gross text not null,
    fee text,
    net text,
    at bigint,
    summed text not null default '0',
    primary key (settlement_id, line, movement_id)
  )`,
  'create index settlement_matches_movement on settlement_matches (movement_id)',
  'create index settlement_matches_unsummed on settlement_matches (settlement_id, movement_id, line) where summed <> gross',
  `create table movement_sums (
    day bigint not null,
    currency text not null,
    method text not null,
    kind text not null,
    count bigint not null,
    high bigint not null,
    low bigint not null,
    settled_count bigint not null,
    settled_high bigint not null,
    settled_low bigint not null,
    late_count bigint not null,
    primary key (day, currency, method, kind)
  )`,
  `create index operations_refunds on operations (status, created_at, id) where type = 'refund'`,
  'alter table operations add column text_id text',
];

/** The entries of a commit stand together in the order of all commits, so a summary of ranges of pages finds those of the last ones. */
const BATCHES = 'create index movements_batch on movements using brin (batch) with (autosummarize = on)';

const TEXT = `'txt' || substr(id, 4)`;
const REASONS = `from operations where type = 'refund' and reason is not null`;
const reasons = [
  `insert into written_texts (id, payment_id, content, actor, at)
    select ${TEXT}, payment_id, nullif(reason, '[erased]'), actor, created_at ${REASONS}`,
  `update operations set text_id = ${TEXT}, reason = null where type = 'refund' and reason is not null`,
];

const minor = (column: string): string => `coalesce(cast(${column} as bigint), 0)`;
const CAPTURED = minor('amount_captured');
const REFUNDED = minor('amount_refunded');
const DISPUTED = `case when disputed = 1 then ${minor('amount_disputed')} else 0 end`;
/** What the merchant's own refunds have given back. */
const OWN = `coalesce((select sum(cast(done.amount as bigint)) from operations as done
  where done.payment_id = payments.id and done.type = 'refund' and done.status = 'confirmed'), 0)`;

const COLUMNS = `id, payment_id, kind, direction, amount, currency, method, at, recorded_at, reference,
  gateway_reference, transaction_ref, refund_id, text_id, actor, source`;

interface Entry {
  /** Tells it from the others of its payment. */
  suffix: string;
  kind: string;
  direction: 'in' | 'out';
  amount: string;
  at: string;
  from?: string;
  where: string;
  actor?: string;
  refundId?: string;
  textId?: string;
}

/** An entry of each payment that it holds of. Such entries count as written when their money moved: no month that is over changes. */
function entry(one: Entry): string {
  const { suffix, kind, direction, amount, at, from = '', where } = one;
  const { actor = `'gateway'`, refundId = 'null', textId = 'null' } = one;
  return `insert into movements (${COLUMNS})
    select 'mov' || substr(payments.id, 4) || ${suffix}, payments.id, ${kind}, '${direction}', cast(${amount} as text),
      currency, method, ${at}, ${at}, reference, gateway_reference, transaction_ref, ${refundId}, ${textId}, ${actor}, 'gateway'
    from payments ${from} where amount_captured is not null and ${where}`;
}

/** The movements of what was there. Corrections and refunds that came back left no more behind than the amounts that they led to. */
const entries = [
  // Versions before 0.3.0 kept no sum of these: what was left.
  `update payments set amount_captured = amount where status = 'succeeded' and amount_captured is null`,
  `update payments set amount_disputed = cast(
      case when ${CAPTURED} > ${REFUNDED} then ${CAPTURED} - ${REFUNDED} else ${CAPTURED} end as text)
    where status = 'succeeded' and disputed = 1 and amount_disputed is null`,
  entry({
    suffix: `'p'`,
    kind: `'payment'`,
    direction: 'in',
    amount: CAPTURED,
    at: 'coalesce(paid_at, closed_at, payments.updated_at)',
    where: `${CAPTURED} > 0`,
  }),
  entry({
    suffix: `'r' || substr(done.id, 4)`,
    kind: `'refund'`,
    direction: 'out',
    amount: 'done.amount',
    at: 'done.updated_at',
    from: 'join operations as done on done.payment_id = payments.id',
    where: `done.type = 'refund' and done.status = 'confirmed' and cast(done.amount as bigint) > 0`,
    actor: 'done.actor',
    refundId: 'done.id',
    textId: 'done.text_id',
  }),
  entry({
    suffix: `'g'`,
    kind: `'refund'`,
    direction: 'out',
    amount: `${REFUNDED} - ${OWN}`,
    at: 'coalesce(refunded_at, payments.updated_at)',
    where: `${REFUNDED} > ${OWN}`,
  }),
  entry({
    suffix: `'b'`,
    kind: `'refund_reversal'`,
    direction: 'in',
    amount: `${OWN} - ${REFUNDED}`,
    at: 'payments.updated_at',
    where: `${REFUNDED} < ${OWN}`,
  }),
  entry({
    suffix: `'c'`,
    kind: `'chargeback'`,
    direction: 'out',
    amount: DISPUTED,
    at: 'coalesce(disputed_at, payments.updated_at)',
    where: `${DISPUTED} > 0`,
  }),
  entry({
    suffix: `'v'`,
    kind: `'void'`,
    direction: 'out',
    amount: `${CAPTURED} - ${REFUNDED} - ${DISPUTED}`,
    at: 'coalesce(closed_at, payments.updated_at)',
    where: `payments.status = 'voided' and ${CAPTURED} - ${REFUNDED} - ${DISPUTED} > 0`,
    actor: `coalesce((select max(actor) from operations as done
      where done.payment_id = payments.id and done.type = 'void' and done.status = 'confirmed'), 'gateway')`,
  }),
];

export const ledger: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of tables) {
      const typed = isSqlite || statement.startsWith('create index');
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
    if (!isSqlite) await sql.raw(BATCHES).execute(db);
    for (const statement of [...reasons, ...entries]) await sql.raw(statement).execute(db);
    if (!isSqlite) await takeBack(db, NOT_IN_ADD_ONLY, ['movements']);
  },
};
