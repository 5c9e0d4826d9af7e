import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Settlement as matching: the rows of reports are kept, so that each report is held against all that is known, and differences are one
 * table over all reports. The former table stays for processes of version 0.2.0 that still run; what it holds is taken over.
 */
const statements = [
  'alter table settlements add column rows_id text',
  'alter table settlements add column matched_to bigint not null default 0',
  'alter table settlements add column matched_at bigint',
  'alter table settlements add column rows_matched bigint not null default 0',
  'alter table settlements add column rows_different bigint not null default 0',
  `alter table settlements add column totals text not null default '[]'`,
  'alter table settlements add column names bigint not null default 1',
  `alter table settlements add column fees text not null default '[]'`,
  'create index settlements_rows on settlements (rows_id) where rows_id is not null',
  'create index settlements_unmatched on settlements (id) where rows_id is not null and matched_at is null',
  'create index settlements_newest on settlements (last_at) where rows_id is not null and last_at is not null',
  `create table settlement_rows (
    rows_id text not null,
    line bigint not null,
    identity text not null,
    nth bigint not null,
    type text not null,
    reference text not null,
    transaction_ref text,
    refund_ref text,
    payout text,
    amount text not null,
    fee text,
    net text,
    currency text,
    settled_from bigint,
    settled_until bigint,
    primary key (rows_id, line)
  )`,
  `create index settlement_rows_reference on settlement_rows (reference) where reference <> ''`,
  'create index settlement_rows_payout on settlement_rows (payout) where payout is not null',
  `create table settled_kinds (
    kind text not null,
    currency text not null,
    method text not null,
    primary key (kind, currency, method)
  )`,
  `create table differences (
    id text not null primary key,
    subject text not null,
    kind text not null,
    state text not null,
    settlement_id text,
    line bigint,
    reference text not null,
    order_reference text,
    payment_id text,
    movement_id text,
    expected_amount text,
    expected_currency text,
    found_amount text,
    found_decimals bigint,
    found_currency text,
    transaction_ref text,
    settled_at bigint,
    moved_at bigint,
    claimed text,
    first_id text,
    said text,
    step text,
    due_at bigint,
    actor text,
    note_id text,
    closed_by text,
    closed_at bigint,
    reason text
  )`,
  'create unique index differences_subject on differences (subject)',
  `create index differences_open on differences (id) where state = 'open'`,
  'create index differences_kind on differences (kind, id)',
  'create index differences_reference on differences (reference, id)',
  'create index differences_settlement on differences (settlement_id, id) where settlement_id is not null',
  'create index differences_settlement_kind on differences (settlement_id, kind, id) where settlement_id is not null',
  'create index differences_absent on differences (id) where moved_at is not null',
  'create index differences_moved on differences (moved_at) where moved_at is not null',
  'create index differences_due on differences (step, due_at) where due_at is not null',
];

/** Ids sort in the order in which the differences were found. */
const ID = `'dif_' || substr(former.settlement_id, 5, 13) || 'x' || substr(cast(10000000000 + former.number as text), 2)`;
/** Of the money that no report had. */
const ofSale = (columns: string): string => `(select ${columns} from movements
  where movements.payment_id = former.payment_id and movements.kind = 'payment')`;
const MOVEMENT = ofSale('min(movements.id)');
/** One that the gateway has confirmed, or whose payment was taken over, is over. */
const OVER = `former.state in ('confirmed', 'adopted')`;
const IS_ABSENT = `former.kind = 'missing_there'`;
const IS_ORDER = `former.kind in ('order_not_paid', 'order_paid_twice', 'order_unknown')`;

const takeOver = `insert into differences (id, subject, kind, state, settlement_id, line, reference, payment_id, movement_id,
    expected_amount, expected_currency, found_amount, found_decimals, found_currency, transaction_ref, settled_at, moved_at, claimed, first_id, step, due_at, actor, closed_at)
  select ${ID},
    case when ${IS_ABSENT} then 'movement ' || coalesce(${MOVEMENT}, former.payment_id)
      when former.kind = 'order_paid_twice' then 'order twice ' || former.reference
      when ${IS_ORDER} then 'order ' || former.reference
      else 'row ' || former.settlement_id || ' ' || former.line end,
    case former.kind when 'missing_there' then 'not_settled' when 'twice_there' then 'settled_twice' else former.kind end,
    case when ${OVER} then 'closed' else 'open' end,
    case when ${IS_ABSENT} then null else former.settlement_id end,
    former.line, former.reference, former.payment_id, case when ${IS_ABSENT} then ${MOVEMENT} end,
    case when ${IS_ABSENT} then ${ofSale('min(movements.amount)')} end,
    case when ${IS_ABSENT} then ${ofSale('min(movements.currency)')} end,
    former.amount, former.decimals, former.currency, former.transaction_ref, former.settled_at,
    case when ${IS_ABSENT} then coalesce(${ofSale('min(movements.at)')}, settlements.first_at) end,
    former.claimed, case when former.kind = 'twice_there' then former.settlement_id end,
    case when former.state = 'confirmed' then null else former.state end, former.due_at, former.actor,
    case when ${OVER} then settlements.finished_at end
  from settlement_differences former join settlements on settlements.id = former.settlement_id
  where settlements.finished_at is not null
    and (not ${IS_ORDER} or former.number between settlements.orders_from and settlements.orders_until)
  on conflict do nothing`;

export const differencesOfAll: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      const typed = isSqlite || !/^(create table|alter table)/.test(statement);
      await sql.raw(typed ? statement : statement.replace(/\btext\b/g, 'text collate "C"')).execute(db);
    }
    await sql.raw(takeOver).execute(db);
  },
};
