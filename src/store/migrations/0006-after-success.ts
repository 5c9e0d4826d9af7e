import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the gateway says of a payment after its success: how much was given back, whether it is disputed, its last unlisted word. */
const statements = [
  `alter table payments add column amount_refunded text`,
  `alter table payments add column disputed bigint not null default 0`,
  `alter table payments add column unlisted_word text`,
];

export const afterSuccess: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
