import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The audit is asked for what one person did, what was done to one thing, one kind of act, and a stretch of time. */
const indexes = [
  'create index audit_actor on audit (actor, id)',
  'create index audit_object on audit (object, id) where object is not null',
  'create index audit_action on audit (action, id)',
];

export const auditFilters: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const index of indexes) await sql.raw(index).execute(db);
  },
};
