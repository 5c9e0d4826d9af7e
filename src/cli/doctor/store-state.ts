import { compareSchema, STOPPING_MIGRATION } from '../../store/migrations.js';
import type { Inspected } from '../configuration.js';
import { sentence, type Finding, type Findings } from './finding.js';

/** What a store records about itself. */
export interface StoreFacts {
  /** Names of its migrations. Empty for a new store. */
  applied: string[];
  /** The gateway whose payments it holds. Undefined for a new store. */
  identity: string | undefined;
}

/** Whether the schema is just this version's. */
export function isSchemaOurs(applied: string[]): boolean {
  const { missing, newer } = compareSchema(applied);
  return missing.length === 0 && newer.length === 0;
}

/** How many payments are named whose ledger does not agree. */
export const NAMED = 10;

/** Whether the amounts of all payments are the sums of their entries: those that were found not to be, at most one more than are named. */
export function checkLedger(found: Findings, ids: readonly string[]): void {
  const check = 'store.ledger';
  const named = ids.slice(0, NAMED).join(', ');
  if (ids.length === 0)
    found.ok(check, 'The amounts of all payments are the sums of their entries in the ledger.');
  else
    found.problem(
      check,
      `The ledger does not have what these payments say: ${named}${ids.length > NAMED ? ' and more' : ''}.`,
      'During an upgrade, look again ten minutes after the last process of the former version has stopped. Otherwise somebody has written into the database: compare them with the gateway’s own books.',
    );
}

/** Says that a store has forgotten what it had confirmed. */
export function reportLoss(found: Findings, message: string): void {
  found.problem(
    'store.loss',
    sentence(message),
    'If the newer file or server still exists, put it back. Otherwise: docs/runbook.md, "The database has forgotten payments", then "tillfront store accept-loss".',
  );
}

/** How what is said of a store begins that was never started on. */
const NEW = 'It is new';

/** What to do about processes of an older version. */
export const MUST_STOP =
  'After an upgrade that stops the service, as the one from 0.1.0, every process of the older version must stop at once: it fails each payment. ' +
  'After any other upgrade, replace them soon.';

/** Whether a service was ever started on the store, as far as these findings say. */
export function wasStarted(findings: readonly Finding[]): boolean {
  return findings.some(({ check, message }) => check === 'store.schema' && !message.startsWith(NEW));
}

/** Whether a readable store belongs to this gateway and this version. */
export function checkStoreState(
  found: Findings,
  { gateway, migrateOnStart }: Inspected,
  { applied, identity }: StoreFacts,
): void {
  const wanted = `${new URL(gateway.baseUrl).origin} (${gateway.mode})`;
  if (identity !== undefined && identity !== wanted)
    found.problem(
      'store.gateway',
      `It holds payments of ${identity}, and the configuration names ${wanted}: the service refuses to start on it.`,
      'Correct GATEWAY_BASE_URL or GATEWAY_MODE, or use another DATA_DIR or DATABASE_URL.',
    );
  const check = 'store.schema';
  const { missing, newer } = compareSchema(applied);
  const message = `Its schema lacks ${missing.join(', ')}.`;
  const first = missing.includes(STOPPING_MIGRATION)
    ? 'This upgrade stops the service: stop every process of the older version first, and make a backup.'
    : 'Make a backup first.';
  if (newer.length > 0)
    found.problem(
      check,
      `Its schema is newer than this version (${newer.join(', ')}).`,
      'Run the newer version.',
    );
  else if (missing.length === 0) found.ok(check, 'Its schema is up to date.');
  else if (applied.length === 0 && migrateOnStart)
    found.ok(check, `${NEW}; the first start makes its tables.`);
  else if (applied.length === 0)
    found.problem(check, `${NEW}, and MIGRATE_ON_START is false.`, 'Run "tillfront migrate".');
  else if (migrateOnStart) found.warning(check, `${message} The next start brings it up to date.`, first);
  else
    found.problem(check, `${message} MIGRATE_ON_START is false.`, `${first} Then run "tillfront migrate".`);
}
