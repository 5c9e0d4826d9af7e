import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { initial } from './migrations/0001-initial.js';
import { cardTesting } from './migrations/0002-card-testing.js';
import { notificationInbox } from './migrations/0003-notification-inbox.js';
import { statusCheckWords } from './migrations/0004-status-check-words.js';
import { seenTime } from './migrations/0005-seen-time.js';
import { afterSuccess } from './migrations/0006-after-success.js';
import { acceptedOperations } from './migrations/0007-accepted-operations.js';
import { statusCheckWorth } from './migrations/0008-status-check-worth.js';
import { keptValues } from './migrations/0009-kept-values.js';
import { eventBatches } from './migrations/0010-event-batches.js';
import { paymentRows } from './migrations/0011-payment-rows.js';
import { referenceVersions } from './migrations/0012-reference-versions.js';
import { books } from './migrations/0013-books.js';
import { refunds } from './migrations/0015-refunds.js';
import { settlements } from './migrations/0016-settlements.js';
import { auditOrder } from './migrations/0017-audit.js';
import { reports } from './migrations/0017-reports.js';
import { pinCount } from './migrations/0018-pin-count.js';
import { storeLosses } from './migrations/0020-store-losses.js';
import { refundBaseline } from './migrations/0021-refund-baseline.js';
import { moneyHeld } from './migrations/0023-money-held.js';
import { settledRefunds } from './migrations/0024-settled-refunds.js';
import { paymentNames } from './migrations/0028-payment-names.js';
import { announcedPaid } from './migrations/0030-announced-paid.js';
import { namesDue } from './migrations/0033-names-due.js';
import { paymentCurrencies } from './migrations/0034-payment-currencies.js';
import { ledger } from './migrations/0035-ledger.js';
import { differencesOfAll } from './migrations/0036-differences.js';
import { approvals } from './migrations/0037-approvals.js';
import { sessionLocale } from './migrations/0038-session-locale.js';
import { setAside } from './migrations/0040-set-aside.js';
import { auditFilters } from './migrations/0041-audit-filters.js';
import { search } from './migrations/0042-search.js';
import type { Tables } from './schema.js';

/** Every migration, oldest first by name. A name that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-card-testing': cardTesting,
  '0003-notification-inbox': notificationInbox,
  '0004-status-check-words': statusCheckWords,
  '0005-seen-time': seenTime,
  '0006-after-success': afterSuccess,
  '0007-accepted-operations': acceptedOperations,
  '0008-status-check-worth': statusCheckWorth,
  '0009-kept-values': keptValues,
  '0010-event-batches': eventBatches,
  '0011-payment-rows': paymentRows,
  '0012-reference-versions': referenceVersions,
  '0013-books': books,
  '0015-refunds': refunds,
  '0016-settlements': settlements,
  '0017-audit': auditOrder,
  '0017-reports': reports,
  '0018-pin-count': pinCount,
  '0020-store-losses': storeLosses,
  '0021-refund-baseline': refundBaseline,
  '0023-money-held': moneyHeld,
  '0024-settled-refunds': settledRefunds,
  '0028-payment-names': paymentNames,
  '0030-announced-paid': announcedPaid,
  '0033-names-due': namesDue,
  '0034-payment-currencies': paymentCurrencies,
  '0035-ledger': ledger,
  '0036-differences': differencesOfAll,
  '0037-approvals': approvals,
  '0038-session-locale': sessionLocale,
  '0040-set-aside': setAside,
  '0041-audit-filters': auditFilters,
  '0042-search': search,
};

/** From this migration on no process of an older version than 0.2.0 works: the upgrade stops the service. Later ones expand and contract. */
export const STOPPING_MIGRATION = '0002-card-testing';

/** Whether a process of this version fails on a schema that has {@link STOPPING_MIGRATION}. Pure. */
export function failsOnNewSchema(version: string): boolean {
  return version.startsWith('0.1.');
}

/** The store's schema does not fit this version of the code. */
export class SchemaMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaMismatch';
  }
}

/** Other processes hold what the migration needs. It has changed nothing. */
export class MigrationBlocked extends Error {
  constructor(code: string) {
    super(
      `The migration met processes that use the tables (${code}), and has changed nothing. ` +
        'Stop every process of the older version, then migrate again.',
    );
    this.name = 'MigrationBlocked';
  }
}

/** A deadlock, or a lock that was not given in time. */
const BLOCKED = ['40P01', '55P03'];

/** The migrations that a store has run, compared with those of the code. */
export interface SchemaState {
  applied: string[];
  /** Known to the code, not yet run in the store. */
  missing: string[];
  /** Run in the store, unknown to the code. */
  newer: string[];
}

/** Compares the names of the migrations that a store has run with the code's. */
export function compareSchema(applied: string[]): SchemaState {
  return {
    applied,
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !(name in migrations)),
  };
}

/** Reads which migrations the store has run. */
export async function readSchema(db: Kysely<Tables>): Promise<SchemaState> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const fresh = !tables.some((table) => table.name === 'kysely_migration');
  return compareSchema(fresh ? [] : await appliedNames(db));
}

/**
 * Brings the schema up to date, or only checks it where `migrate` is false. Throws `SchemaMismatch` where the schema is
 * newer than the code, or is older and must not be migrated here; `MigrationBlocked` where other processes are in the way.
 *
 * @param withPatience gives connections on which a statement may take as long as it does
 */
export async function prepareSchema(
  db: Kysely<Tables>,
  migrate: boolean,
  withPatience: (work: (patient: Kysely<Tables>) => Promise<void>) => Promise<void> = (work) => work(db),
): Promise<void> {
  const { missing, newer } = await readSchema(db);
  if (newer.length > 0) {
    throw new SchemaMismatch(
      `The store's schema is newer than this version of Tillfront (${newer.join(', ')}): run the newer version.`,
    );
  }
  if (missing.length === 0) return;
  if (!migrate) {
    throw new SchemaMismatch(
      `The store's schema is older than this version of Tillfront (missing: ${missing.join(', ')}): ` +
        'run the migration first, or set MIGRATE_ON_START=true.',
    );
  }
  await withPatience(migrateToLatest);
}

async function appliedNames(db: Kysely<Tables>): Promise<string[]> {
  const untyped = db as unknown as Kysely<{ kysely_migration: { name: string } }>;
  const rows = await untyped.selectFrom('kysely_migration').select('name').execute();
  return rows.map((row) => row.name);
}

async function migrateToLatest(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  const { code } = (error ?? {}) as { code?: string };
  if (code !== undefined && BLOCKED.includes(code)) throw new MigrationBlocked(code);
  if (error instanceof Error) throw error;
  if (error !== undefined) throw new Error('The migration failed');
}
