import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes by which the inbox finds whose turn it is to be asked about, and what is old enough to be removed. */
const statements = [
  `create index notifications_waiting on notifications (payment_id) where status = 'received'`,
  `create index notifications_followed on notifications (received_at) where status = 'applied'`,
];

export const notificationInbox: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
