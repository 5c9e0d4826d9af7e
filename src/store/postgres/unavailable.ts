import { StoreRefused } from '../prepare.js';
import { StoreUnavailable } from '../store-unavailable.js';

/**
 * SQLSTATE classes of a server that is unreachable, overloaded or refuses access: connection, transaction state (read-only), authorization,
 * catalog name, resources, operator intervention, system error.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '25', '28', '3D', '53', '57', '58']);
/** A missing table: the store is not prepared yet. */
const UNDEFINED_TABLE = '42P01';

/** What the commonest answers mean of a server that confirms nothing. */
const MEANINGS: Readonly<Record<string, string>> = {
  '25006': 'takes no writes',
  '53100': 'has no room left',
  '53300': 'has no connection left',
  '57014': 'took too long',
  '57P03': 'is starting or recovering',
};

/** The server's own error: it has a severity. */
export function sqlState(error: unknown): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** Whether the server rolled the transaction back: its own error, and the connection goes on. Anything else leaves its end unknown. */
export function isRolledBack(error: unknown): boolean {
  return sqlState(error) !== undefined && (error as { severity?: string }).severity === 'ERROR';
}

/** Turns the driver's error into one of ours: an unreachable server is not a fault of the request. */
export function asPostgresUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) return error;
  // A fault of this program, not of the database.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error;
  const state = sqlState(error);
  if (state === undefined) {
    // A code such as ECONNREFUSED is safe to show; a message might name the user or the address. The driver's own timeouts have no code.
    const { code, message = '' } = error as { code?: unknown; message?: string };
    const cause = typeof code === 'string' ? code : /time-?out/i.test(message) ? 'TIMEOUT' : undefined;
    return new StoreUnavailable(`the database connection failed${cause ? ` (${cause})` : ''}`, cause);
  }
  const isAway =
    !isRolledBack(error) || UNAVAILABLE_CLASSES.has(state.slice(0, 2)) || state === UNDEFINED_TABLE;
  return isAway
    ? new StoreUnavailable(`the database ${MEANINGS[state] ?? 'answered'} (${state})`, state)
    : error;
}
