import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';

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

/** What the operating system's and SQLite's codes mean of a data directory. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write to it',
  EPERM: 'this account may not write to it',
  EROFS: 'its file system takes no writes',
  ENOENT: 'it cannot be made',
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  // SQLite's.
  8: 'this account may not write to a file in it',
  14: 'a file in it belongs to another account, or cannot be made',
  26: 'its tillfront.db is no database',
};

/** The data directory cannot be used. */
export class DataDirUnusable extends Error {
  constructor(dataDir: string, code: string | number) {
    super(
      `DATA_DIR (${dataDir}) cannot be used: ${MEANINGS[code] ?? 'what is in it cannot be opened'} (${code}). ` +
        'Give the folder with all its files to the account that the service runs as, or correct DATA_DIR.',
    );
    this.name = 'DataDirUnusable';
  }
}

const SQLITE_BUSY = 5;
/** A command that looks whether it is held disturbs a start for a moment. */
const WAIT_MS = 200;

/** The embedded store's file in its directory. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'tillfront.db');
}

/** Opens what is in the directory. Throws `DataDirUnusable` in place of an error of the operating system or of SQLite. */
export function inDataDir<T>(dataDir: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown };
    if (typeof errcode === 'number') throw new DataDirUnusable(dataDir, errcode & 0xff);
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) throw new DataDirUnusable(dataDir, code);
    throw error;
  }
}

/**
 * Takes the data directory for this process by an exclusive transaction that stays open: the operating system ends it with the process, so
 * no stale lock is left after a crash. Returns what gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  return inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const file = join(dataDir, 'lock.db');
    keepDatabasePrivate(file);
    const database = new DatabaseSync(file, { timeout: WAIT_MS });
    try {
      database.exec('begin exclusive');
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new DataDirInUse(dataDir);
      throw error;
    }
    return () => {
      database.close();
    };
  });
}

/**
 * Makes a database file its owner's alone before SQLite opens it, with the files beside it. An existing file is not opened here: closing it
 * would release the locks that this process has on it.
 */
export function keepDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) keepPrivate(file + suffix);
}
