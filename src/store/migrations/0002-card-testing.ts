import { sql, SqliteAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What card testing counts besides an issuer's decline: how much one weighs, and the wider network of an IPv6 address. A decline that
 * a process of the former version still writes weighs as one, and counts by its address and card.
 */
const statements = [
  `alter table declines add column weight bigint not null default 2`,
  `alter table declines add column network_fingerprint text`,
  `create index declines_network on declines (network_fingerprint, at) where network_fingerprint is not null`,
  `create index declines_at on declines (at)`,
  `alter table payments add column network_fingerprint text`,
];

export const cardTesting: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
    for (const statement of statements) {
      await sql.raw(isSqlite ? statement : statement.replace(/\btext$/, 'text collate "C"')).execute(db);
    }
  },
};
