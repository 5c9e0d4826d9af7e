import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The columns of the schedule and of the timeline's last note under the words of the field. A process of the former version fails
 * on them before it sends anything, so it must be stopped first (see docs/upgrade.md).
 */
const statements = [
  `alter table payments rename column ask_at to next_status_check_at`,
  `alter table payments rename column ask_count to status_check_count`,
  `alter table payments rename column last_finding to last_timeline_note`,
  `drop index payments_ask`,
  `create index payments_next_status_check on payments (next_status_check_at) where next_status_check_at is not null`,
];

export const statusCheckWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
