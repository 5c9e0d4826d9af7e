import { compareSchema } from '../../store/migrations.js';
import type { inspectConfiguration } from '../inspect-configuration.js';
import { ok, problem, warning, type Finding } from './finding.js';

type Inspected = ReturnType<typeof inspectConfiguration>;

/** What a store records about itself. */
export interface StoreFacts {
  /** Names of its migrations. Empty for a new store. */
  applied: string[];
  /** The gateway whose payments it holds. Undefined for a new store. */
  identity: string | undefined;
}

/** Whether a readable store belongs to this gateway and this version. */
export function checkStoreState(
  { gateway, migrateOnStart }: Inspected,
  { applied, identity }: StoreFacts,
): Finding[] {
  const findings: Finding[] = [];
  const wanted = `${new URL(gateway.baseUrl).origin} (${gateway.mode})`;
  if (identity !== undefined && identity !== wanted) {
    findings.push(
      problem(
        'store.gateway',
        `It holds payments of ${identity}, and the configuration names ${wanted}: the service refuses to start on it.`,
        'Correct GATEWAY_BASE_URL or GATEWAY_MODE, or use another DATA_DIR or DATABASE_URL.',
      ),
    );
  }
  const { missing, newer } = compareSchema(applied);
  if (newer.length > 0) {
    findings.push(
      problem(
        'store.schema',
        `Its schema is newer than this version (${newer.join(', ')}).`,
        'Run the newer version.',
      ),
    );
  } else if (applied.length === 0) {
    findings.push(
      migrateOnStart
        ? ok('store.schema', 'It is new; the first start makes its tables.')
        : problem('store.schema', 'It is new, and MIGRATE_ON_START is false.', 'Run "tillfront migrate".'),
    );
  } else if (missing.length > 0) {
    const message = `Its schema lacks ${missing.join(', ')}.`;
    findings.push(
      migrateOnStart
        ? warning('store.schema', `${message} The next start brings it up to date.`, 'Make a backup first.')
        : problem('store.schema', `${message} MIGRATE_ON_START is false.`, 'Run "tillfront migrate".'),
    );
  } else findings.push(ok('store.schema', 'Its schema is up to date.'));
  return findings;
}
