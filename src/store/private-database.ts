import { closeSync, openSync } from 'node:fs';
import { keepPrivate, OWNER_ONLY } from '../secrets/private-file.js';

/** The files that SQLite keeps beside a database. It creates them with the database's own mode. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** A database file and all files that SQLite may keep beside it. */
export function filesOfDatabase(path: string): string[] {
  return [path, ...BESIDE.map((suffix) => path + suffix)];
}

/**
 * Makes a database file private to its owner before SQLite opens it. A new file is created so; an older one that others
 * may read is tightened, with the files beside it. An existing file is never opened here, because closing it would
 * release the locks that this process has on it.
 */
export function keepDatabasePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (const file of filesOfDatabase(path)) keepPrivate(file);
}
