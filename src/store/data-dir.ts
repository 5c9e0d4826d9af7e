import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';
import { StoreRefused } from './prepare.js';

const SQLITE_BUSY = 5;
/** A command that looks whether it is held disturbs a start for a moment. */
const WAIT_MS = 200;

/** The embedded store's file in its directory. */
export function storeFile(dataDir: string): string {
  return join(dataDir, 'tillfront.db');
}

/** Opens what is in the directory. Throws `StoreRefused` in place of an error of the operating system or of SQLite. */
export function inDataDir<T>(dataDir: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: string };
    if (typeof errcode !== 'number' && !(typeof code === 'string' && /^E[A-Z]+$/.test(code))) throw error;
    throw new StoreRefused(
      `DATA_DIR (${dataDir}) cannot be used: ${message}. ` +
        'Give the folder with all its files to the account that the service runs as, or correct DATA_DIR.',
    );
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
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      throw new StoreRefused(
        `The data directory ${dataDir} is in use by another process: one process a directory. ` +
          'Stop the other one, set another DATA_DIR, or use PostgreSQL (DATABASE_URL) for several replicas.',
      );
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
