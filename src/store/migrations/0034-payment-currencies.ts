import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Payments by currency, in the order of their list. */
export const paymentCurrencies: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('create index payments_currency on payments (currency, id)').execute(db);
  },
};
