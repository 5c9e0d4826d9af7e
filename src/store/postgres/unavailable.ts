import { StoreElsewhere } from '../history/store-elsewhere.js';
import { StoreUnavailable } from '../store-unavailable.js';

/**
 * SQLSTATE classes of a server that is unreachable, overloaded or refuses access: connection, authorization (while a
 * password is being changed), catalog name, resources, operator intervention, system error.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '25', '28', '3D', '53', '57', '58']);
/** A missing table means that the store is not prepared yet. */
const UNDEFINED_TABLE = '42P01';

/** Turns the driver's error into one of ours: an unreachable server is not a fault of the request. */
export function asPostgresUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreElsewhere) return error;
  // A fault of this program, not of the database.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // Only the server's own errors have a severity. Five characters in the code prove nothing: EPIPE has five too.
  if (typeof code !== 'string' || typeof severity !== 'string') {
    // A code such as ECONNREFUSED is safe to show; a message might name the user or the address.
    const cause = typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
    return new StoreUnavailable(`the database connection failed${cause}`);
  }
  // FATAL: the server ended the connection, or made none.
  const away = severity === 'FATAL' || UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || code === UNDEFINED_TABLE;
  return away ? new StoreUnavailable(`the database answered ${code}`) : error;
}
