import { SqliteAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const SIX_DAYS_MS = 6 * 86_400_000;

/**
 * What a payment's next status check is worth, and the notifications that it follows. The schedule
 * finds what is due by worth and method, so no kind of payment stands before another.
 */
const columns = [
  `alter table payments add column status_check_worth bigint not null default 4`,
  `alter table payments add column notification_checks bigint`,
  `alter table payments add column notification_claims text`,
];

/** The numbers are those of `payments/schedule/worth.ts`: unknown, waiting, follow-up. */
const worths = `update payments set status_check_worth = case
    when status = 'processing' or pending_operation is not null then 1
    when status = 'requires_action' then 3
    else 4 end
  where next_status_check_at is not null`;

const indexes = [
  `drop index payments_next_status_check`,
  `create index payments_status_check on payments (status_check_worth, method, next_status_check_at)
    where next_status_check_at is not null`,
];

export const statusCheckWorth: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of columns) {
      await sql.raw(isSqlite ? statement : statement.replace(/\btext$/, 'text collate "C"')).execute(db);
    }
    await sql.raw(worths).execute(db);
    const now = isSqlite ? 'unixepoch() * 1000' : '(extract(epoch from now()) * 1000)::bigint';
    // The former version did not follow declines. Those of the last six days are asked about once more.
    await sql`
      update payments set next_status_check_at = closed_at + ${SIX_DAYS_MS}
      where status = 'failed' and next_status_check_at is null and failure like '%"code":"declined"%'
        and closed_at > ${sql.raw(now)} - ${SIX_DAYS_MS}`.execute(db);
    for (const statement of indexes) await sql.raw(statement).execute(db);
  },
};
