import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isOpenToOthers } from '../../secrets/private-file.js';
import { filesOfDatabase } from '../../store/private-database.js';
import { isDataDirHeld } from '../../store/data-dir-lock.js';
import { lookForLoss } from '../../store/history/embedded-loss.js';
import { olderThan } from '../../store/history/store-fault.js';
import { EMBEDDED_WITNESS, WitnessFile } from '../../store/history/witness-file.js';
import { misplacedFile } from '../../store/sqlite/misplaced-file.js';
import { LEDGER_FAULTS } from '../../store/ledger-faults.js';
import type { Inspected } from '../configuration.js';
import type { Findings } from './finding.js';
import { checkPostgres } from './postgres-check.js';
import {
  checkLedger,
  checkStoreState,
  isSchemaOurs,
  NAMED,
  reportLoss,
  type StoreFacts,
} from './store-state.js';

/** Whether the store can be used: its owner, its place and its schema. Changes nothing. */
export async function checkStore(found: Findings, config: Inspected): Promise<void> {
  const { store } = config;
  if (store.kind === 'embedded') checkEmbeddedStore(found, config, store.dataDir);
  else await checkPostgres(found, config, store);
}

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
function checkEmbeddedStore(found: Findings, config: Inspected, dataDir: string): void {
  const place = nearestExisting(dataDir);
  try {
    if (!statSync(place).isDirectory()) throw new Error('no folder');
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    found.problem(
      'store',
      `${dataDir} cannot be written.`,
      'Give it to the account that the service runs as, or set DATA_DIR.',
    );
    return;
  }
  found.ok('store', `Embedded, in ${dataDir}: one process at a time.`);
  checkPlace(found, place);
  const file = join(dataDir, 'tillfront.db');
  checkModes(found, dataDir, file);
  checkEmbeddedFile(found, config, dataDir);
}

/** The store holds payers' names and addresses, and the keys are next to it. */
function checkModes(found: Findings, dataDir: string, file: string): void {
  const open = [
    ...[...filesOfDatabase(file), join(dataDir, 'lock.db')],
    ...['secret.key', 'card-encryption-key.pem'].map((name) => join(dataDir, name)),
  ].filter((path) => isOpenToOthers(path));
  if (open.length === 0) return;
  found.warning(
    'store.modes',
    `Others on this machine may read ${open.map((path) => basename(path)).join(', ')}.`,
    'The next start corrects this if the files belong to its own account. Otherwise: chmod 600.',
  );
}

function checkPlace(found: Findings, place: string): void {
  const { type, bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const said = `${(free / GIB).toFixed(1)} GiB are free.`;
  if (free < NO_SPACE)
    found.problem('store.space', said, 'Free some space: a store that cannot write accepts no payments.');
  else if (free < LITTLE_SPACE) found.warning('store.space', said, 'Free some space, or move DATA_DIR.');
  else found.ok('store.space', said);
  const networked = NETWORKED[type];
  if (networked !== undefined)
    found.problem(
      'store.file-system',
      `DATA_DIR is on ${networked}, where a lock or an fsync may not hold: payments can be lost.`,
      'Use a local disk, or PostgreSQL (DATABASE_URL).',
    );
  const volatile = VOLATILE[type];
  if (volatile !== undefined)
    found.problem(
      'store.file-system',
      `DATA_DIR is in memory (${volatile}): it is gone with the machine.`,
      'Use a disk.',
    );
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

const CHECK = 'store.file';
const PUT_BACK =
  'Put it back in the same place (mv, not cp). Stop and start nothing before, and restore no backup: docs/runbook.md, ' +
  '"The store’s file was replaced".';

/** Whether the embedded store's files are all there, hold what they had confirmed, and belong to this gateway and version. */
function checkEmbeddedFile(found: Findings, config: Inspected, dataDir: string): void {
  const file = join(dataDir, 'tillfront.db');
  const witness = new WitnessFile(dataDir, EMBEDDED_WITNESS);
  const held = isDataDirHeld(dataDir);
  const misplaced = misplacedFile(file, { held, known: witness.exists });
  if (misplaced !== undefined) {
    const who = held ? 'and a process uses the store' : 'and the store needs it';
    found.problem(CHECK, `${misplaced} is not there, ${who}: it was moved or removed.`, PUT_BACK);
    return;
  }
  if (!existsSync(file)) {
    checkStoreState(found, config, { applied: [], identity: undefined });
    return;
  }
  const hasLog = existsSync(`${file}-wal`);
  if (hasLog && !existsSync(`${file}-shm`)) {
    found.warning(
      CHECK,
      'What its log holds is not in it yet, and nothing was looked at.',
      'The next start takes the log in. Keep both files together until then.',
    );
    return;
  }
  let facts: EmbeddedFacts;
  try {
    facts = readFacts(file, { hasLog, witness });
  } catch {
    const [who, remedy] = held
      ? [
          ', and a process uses it',
          'Look at the disk, and at /health/ready of that process. Restore nothing while it runs: only it may have what was confirmed last.',
        ]
      : ['', 'Restore it from a backup; keep the damaged file. docs/runbook.md says how.'];
    found.problem(CHECK, `${file} cannot be read as a database${who}.`, remedy);
    return;
  }
  if (facts.lost !== undefined) reportLoss(found, facts.lost);
  checkStoreState(found, config, facts);
  if (facts.unentered) checkLedger(found, facts.unentered);
}

interface EmbeddedFacts extends StoreFacts {
  /** What it has forgotten. */
  lost: string | undefined;
  /** Payments whose entries in the ledger do not agree with them; undefined where the schema is not this version's. */
  unentered: string[] | undefined;
}

/**
 * Reads a store that nobody has to close for that: beside a process, as a reader of a write-ahead log blocks nobody, and without making a
 * file or writing into one, which SQLite would do of itself.
 */
function readFacts(
  file: string,
  { hasLog, witness }: { hasLog: boolean; witness: WitnessFile },
): EmbeddedFacts {
  const place = pathToFileURL(file);
  place.search = hasLog ? 'mode=ro&readonly_shm=1' : 'immutable=1';
  const database = new DatabaseSync(place, { readOnly: true, timeout: 2_000 });
  try {
    const names = (query: string, column = 'name'): string[] =>
      database
        .prepare(query)
        .all()
        .map((row) => String(row[column]));
    const tables = names("select name from sqlite_master where type = 'table'");
    const applied = tables.includes('kysely_migration') ? names('select name from kysely_migration') : [];
    const row = tables.includes('meta')
      ? database.prepare("select value from meta where name = 'gateway'").get()
      : undefined;
    const { lost } = tables.includes('store_losses') ? lookForLoss(database, witness) : {};
    return {
      applied,
      identity: row && String(row['value']),
      lost: lost && olderThan(lost.known, lost.found),
      unentered: isSchemaOurs(applied) ? names(`${LEDGER_FAULTS} limit ${NAMED + 1}`, 'id') : undefined,
    };
  } finally {
    database.close();
  }
}
