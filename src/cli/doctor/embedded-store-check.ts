import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { inspectConfiguration } from '../inspect-configuration.js';
import { isOpenToOthers } from '../../secrets/private-file.js';
import { filesOfDatabase } from '../../store/private-database.js';
import { ok, problem, warning, type Finding } from './finding.js';
import { checkStoreState, type StoreFacts } from './store-state.js';

const GIB = 1024 ** 3;
const LITTLE_SPACE = GIB;
const NO_SPACE = 0.1 * GIB;

/** File systems where locks or fsync are not reliable, by their magic numbers. */
const NETWORKED: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x01021997: '9P',
  0x65735546: 'FUSE',
};
/** In-memory file systems, which lose everything when the machine stops. */
const VOLATILE: Readonly<Record<number, string>> = { 0x01021994: 'tmpfs', 0x858458f6: 'ramfs' };

/** Whether the data directory can safely hold payments. */
export function checkEmbeddedStore(
  config: ReturnType<typeof inspectConfiguration>,
  dataDir: string,
): Finding[] {
  const check = 'store';
  const place = nearestExisting(dataDir);
  try {
    if (!statSync(place).isDirectory()) throw new Error('no folder');
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      problem(
        check,
        `${dataDir} cannot be written.`,
        'Give it to the account that the service runs as, or set DATA_DIR.',
      ),
    ];
  }
  const findings = [ok(check, `Embedded, in ${dataDir}: one process at a time.`), ...checkPlace(place)];
  const file = join(dataDir, 'tillfront.db');
  findings.push(...checkModes(dataDir, file));
  try {
    findings.push(
      ...checkStoreState(config, existsSync(file) ? readFacts(file) : { applied: [], identity: undefined }),
    );
  } catch {
    findings.push(
      problem(
        'store.file',
        `${file} cannot be read as a database.`,
        'Restore it from a backup; keep the damaged file. docs/runbook.md says how.',
      ),
    );
  }
  return findings;
}

/** The store holds payers' names and addresses, and the keys are next to it. */
function checkModes(dataDir: string, file: string): Finding[] {
  const open = [
    ...[...filesOfDatabase(file), join(dataDir, 'lock.db')],
    ...['secret.key', 'card-encryption-key.pem'].map((name) => join(dataDir, name)),
  ].filter((path) => isOpenToOthers(path));
  if (open.length === 0) return [];
  return [
    warning(
      'store.modes',
      `Others on this machine may read ${open.map((path) => basename(path)).join(', ')}.`,
      'The next start corrects this if the files belong to its own account. Otherwise: chmod 600.',
    ),
  ];
}

function checkPlace(place: string): Finding[] {
  const findings: Finding[] = [];
  const { type, bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const said = `${(free / GIB).toFixed(1)} GiB are free.`;
  if (free < NO_SPACE)
    findings.push(
      problem('store.space', said, 'Free some space: a store that cannot write accepts no payments.'),
    );
  else if (free < LITTLE_SPACE)
    findings.push(warning('store.space', said, 'Free some space, or move DATA_DIR.'));
  else findings.push(ok('store.space', said));
  const networked = NETWORKED[type];
  const volatile = VOLATILE[type];
  if (networked !== undefined) {
    findings.push(
      problem(
        'store.file-system',
        `DATA_DIR is on ${networked}, where a lock or an fsync may not hold: payments can be lost.`,
        'Use a local disk, or PostgreSQL (DATABASE_URL).',
      ),
    );
  }
  if (volatile !== undefined) {
    findings.push(
      problem(
        'store.file-system',
        `DATA_DIR is in memory (${volatile}): it is gone with the machine.`,
        'Use a disk.',
      ),
    );
  }
  return findings;
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Can read while the service runs, because a reader of a write-ahead log blocks nobody. */
function readFacts(file: string): StoreFacts {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table'")
      .all()
      .map(({ name }) => String(name));
    const applied = tables.includes('kysely_migration')
      ? database
          .prepare('select name from kysely_migration')
          .all()
          .map(({ name }) => String(name))
      : [];
    const row = tables.includes('meta')
      ? database.prepare("select value from meta where name = 'gateway'").get()
      : undefined;
    return { applied, identity: row && String(row['value']) };
  } finally {
    database.close();
  }
}
