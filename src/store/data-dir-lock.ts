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

/**
 * Takes the data directory for this process by an exclusive transaction that stays open for life: the operating
 * system ends it with the process, so no stale lock is left after a crash. Returns what gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'lock.db');
  keepDatabasePrivate(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode;
    // SQLITE_BUSY: another process holds it. Anything else is a fault of the directory itself.
    if (code === 5) throw new DataDirInUse(dataDir);
    throw error;
  }
  return () => {
    database.close();
  };
}
