import { StoreUnavailable } from '../store-unavailable.js';

/** Extended result codes share their primary code in the low byte. */
const PRIMARY_CODE = 0xff;

/** Primary result codes of a file that cannot be used at all now (https://sqlite.org/rescode.html). */
const REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'is busy'],
  [6, 'is locked'],
  [7, 'has no memory left'],
  [8, 'cannot be written to'],
  [10, 'had an input or output error'],
  [11, 'is damaged'],
  [13, 'is full'],
  [14, 'cannot be opened'],
]);

/** Turns SQLite's error into one of ours: a full disk is not a fault of the request. */
export function asSqliteUnavailable(error: unknown): unknown {
  const { errcode } = error as { errcode?: unknown };
  const reason = typeof errcode === 'number' ? REASONS.get(errcode & PRIMARY_CODE) : undefined;
  return reason === undefined
    ? error
    : new StoreUnavailable(`the embedded store ${reason} (code ${String(errcode)})`);
}
