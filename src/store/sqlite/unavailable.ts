import { StoreUnavailable } from '../store-unavailable.js';

/** Primary result codes of a file that cannot be used now (https://sqlite.org/rescode.html). */
const REASONS: ReadonlyMap<number, readonly [code: string, reason: string]> = new Map([
  [5, ['SQLITE_BUSY', 'is busy']],
  [6, ['SQLITE_LOCKED', 'is locked']],
  [7, ['SQLITE_NOMEM', 'has no memory left']],
  [8, ['SQLITE_READONLY', 'cannot be written to']],
  [10, ['SQLITE_IOERR', 'had an input or output error']],
  [11, ['SQLITE_CORRUPT', 'is damaged']],
  [13, ['SQLITE_FULL', 'is full']],
  [14, ['SQLITE_CANTOPEN', 'cannot be opened']],
]);

/** Turns SQLite's error into one of ours: a full disk is not a fault of the request. */
export function asSqliteUnavailable(error: unknown): unknown {
  const { errcode } = error as { errcode?: unknown };
  // Extended result codes have their primary code in the low byte.
  const known = typeof errcode === 'number' ? REASONS.get(errcode & 0xff) : undefined;
  if (!known) return error;
  const [code, reason] = known;
  return new StoreUnavailable(`the embedded store ${reason} (code ${String(errcode)})`, code);
}
