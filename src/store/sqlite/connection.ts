import type { DatabaseSync } from 'node:sqlite';
import { keepDatabasePrivate } from '../private-database.js';
import { openConnection } from './runner.js';

/** Opens the embedded store's file for its owner alone, with a write-ahead log and an fsync at every commit. */
export function openSqliteFile(path: string): DatabaseSync {
  keepDatabasePrivate(path);
  return openConnection(path);
}
