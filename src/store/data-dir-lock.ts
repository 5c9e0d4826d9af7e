import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keepDatabasePrivate } from './private-database.js';

/** Another process uses this data directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(
      `The data directory ${dataDir} is in use by another process: one process a directory. ` +
        'Stop the other one, set another DATA_DIR, or use PostgreSQL (DATABASE_URL) for several replicas.',
    );
    this.name = 'DataDirInUse';
  }
}

const FILE = 'lock.db';
const SQLITE_BUSY = 5;
/** A doctor that looks whether it is held disturbs a start for a moment. */
const WAIT_MS = 200;

/**
 * Whether a process holds the data directory now. Writes nothing. False where that cannot be told, as by an account that may not read it.
 */
export function isDataDirHeld(dataDir: string): boolean {
  const file = join(dataDir, FILE);
  if (!existsSync(file)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare('select count(*) from sqlite_master').get();
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    database?.close();
  }
}

/**
 * Takes the data directory for this process by an exclusive transaction that stays open for life: the operating
 * system ends it with the process, so no stale lock is left after a crash. Returns what gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, FILE);
  keepDatabasePrivate(file);
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode;
    // Another process holds it. Anything else is a fault of the directory itself.
    if (code === SQLITE_BUSY) throw new DataDirInUse(dataDir);
    throw error;
  }
  return () => {
    database.close();
  };
}
