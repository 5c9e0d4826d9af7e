import { SqliteAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The first schema. Both stores take the same types: text, and bigint, which is SQLite's integer affinity. There are no
 * foreign keys: the payment writer writes all rows of one reference together, and nothing else writes them.
 */
/** Stands where SQLite is told to keep a table of small rows in the tree of its key: one tree to write instead of two. */
const CLUSTERED = ' (clustered)';

const statements = [
  `create table meta (name text primary key, value text not null)${CLUSTERED}`,
  `create table leases (
    name text primary key, owner text, until bigint not null, fence bigint not null)${CLUSTERED}`,
  `create table payment_references (
    reference text primary key, attempts bigint not null,
    live_payment_ids text not null, paid_payment_ids text not null, session_id text)${CLUSTERED}`,
  `create table checkout_sessions (
    id text primary key, reference text not null, amount text not null, currency text not null,
    status text not null, closed_reason text, payer text, billing text, return_url text,
    methods text not null, metadata text not null, declines bigint not null, event_sequence bigint not null,
    expires_at bigint not null, created_at bigint not null, updated_at bigint not null,
    finished_at bigint, redacted_at bigint)`,
  `create index checkout_sessions_reference on checkout_sessions (reference, created_at)`,
  `create index checkout_sessions_open on checkout_sessions (expires_at) where status = 'open'`,
  `create index checkout_sessions_kept on checkout_sessions (finished_at)
    where finished_at is not null and redacted_at is null`,
  `create table payments (
    id text primary key, session_id text not null, reference text not null,
    gateway_reference text not null, method text not null, status text not null,
    amount text not null, currency text not null, amount_authorized text, amount_captured text,
    next_action text, pending_operation text, duplicate_of text,
    needs_attention bigint not null, attention_reason text, settled_answer text, failure text,
    card_brand text, card_last4 text, card_fingerprint text, address_fingerprint text, transaction_ref text,
    metadata text not null, otps_sent bigint not null, answered bigint not null, waiting bigint not null,
    not_known_count bigint not null, gateway_expires_at bigint,
    ask_at bigint, last_finding text, ask_count bigint not null, open_since bigint, closed_at bigint,
    event_sequence bigint not null, timeline_sequence bigint not null,
    lease_owner text, lease_until bigint not null, lease_fence bigint not null,
    version bigint not null, created_at bigint not null, updated_at bigint not null)`,
  // A gateway reference begins with the reference, so one index finds both. Ids begin with the time, so they are the order of the list.
  `create unique index payments_reference on payments (reference, gateway_reference)`,
  `create index payments_status on payments (status, id)`,
  `create index payments_ask on payments (ask_at) where ask_at is not null`,
  `create index payments_attention on payments (id) where needs_attention = 1`,
  `create table operations (
    payment_id text not null, id text not null, type text not null, status text not null,
    amount text, owner text not null, actor text not null, former_count bigint not null,
    created_at bigint not null, updated_at bigint not null, primary key (payment_id, id))${CLUSTERED}`,
  `create table idempotency_keys (
    scope text not null, key text not null, fingerprint text not null,
    session_id text, payment_id text, operation_id text, running_until bigint,
    created_at bigint not null, expires_at bigint not null, primary key (scope, key))${CLUSTERED}`,
  `create table timeline (
    payment_id text not null, sequence bigint not null, id text not null, type text not null, at bigint not null,
    from_status text, to_status text, late bigint not null, actor text, detail text,
    primary key (payment_id, sequence))${CLUSTERED}`,
  `create table events (
    id text primary key, type text not null, aggregate_id text not null, sequence bigint not null,
    reference text not null, body text not null, created_at bigint not null, position bigint,
    delivery_status text not null, attempts bigint not null, next_attempt_at bigint, first_attempt_at bigint,
    last_result text, lease_owner text, lease_until bigint not null)`,
  `create unique index events_sequence on events (aggregate_id, sequence)`,
  // It also finds the events that have no position yet.
  `create unique index events_position on events (position)`,
  `create index events_due on events (next_attempt_at) where delivery_status = 'pending'`,
  `create table notifications (
    id text primary key, received_at bigint not null, digest text not null, media_type text not null,
    body text not null, reference text, payment_id text, status text not null, repeats bigint not null,
    processed_at bigint)`,
  `create unique index notifications_digest on notifications (digest)`,
  `create index notifications_payment on notifications (payment_id)`,
  `create index notifications_open on notifications (received_at) where status = 'received'`,
  `create index notifications_unmatched on notifications (received_at) where status = 'unmatched'`,
  `create table declines (
    id text primary key, address_fingerprint text not null, card_fingerprint text not null, at bigint not null)${CLUSTERED}`,
  `create index declines_address on declines (address_fingerprint, at)`,
  `create index declines_card on declines (card_fingerprint, at)`,
];

export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const adapted = db.getExecutor().adapter instanceof SqliteAdapter ? forSqlite : forPostgres;
    for (const statement of statements) await sql.raw(adapted(statement)).execute(db);
  },
};

function forSqlite(statement: string): string {
  return statement.replace(CLUSTERED, ' without rowid');
}

/**
 * Text in the order of its bytes, as on SQLite, whatever the database's own order is: nothing here is read by people in that order, and
 * an update of the system's locales, which may change it, would leave such indexes broken.
 */
function forPostgres(statement: string): string {
  return statement.replace(CLUSTERED, '').replace(/\btext\b/g, 'text collate "C"');
}
