import { closeSync, openSync } from 'node:fs';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';

/** What SQLite keeps beside a database. It gives these files the database's own mode when it makes them. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** A database file and all that SQLite may keep beside it. */
export function filesOfDatabase(path: string): string[] {
  return [path, ...BESIDE.map((suffix) => path + suffix)];
}

/**
 * Makes a database file for its owner alone before SQLite opens it: a new one is made so, an older one that others may read is
 * tightened, with what SQLite keeps beside it. A file that exists is never opened here: closing it would
 * give up the locks that this process has on it.
 */
export function keepDatabasePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const file of filesOfDatabase(path)) keepPrivate(file);
}
