import { StoreElsewhere } from '../history/store-elsewhere.js';
import { causeOf } from '../../telemetry/error-fields.js';
import { StoreUnavailable } from '../store-unavailable.js';

/**
 * SQLSTATE classes of a server that is unreachable, overloaded or refuses access: connection, authorization (while a
 * password is being changed), catalog name, resources, operator intervention, system error.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '25', '28', '3D', '53', '57', '58']);
/** A missing table means that the store is not prepared yet. */
const UNDEFINED_TABLE = '42P01';

/** What the commonest answers of a server mean that confirms nothing. */
const MEANINGS: Readonly<Record<string, string>> = {
  '25006': 'takes no writes',
  '53100': 'has no room left',
  '53200': 'has no memory left',
  '53300': 'has no connection left',
  '57014': 'took too long',
  '57P01': 'is being shut down',
  '57P03': 'is starting or recovering',
  '58030': 'had an input or output error',
};

/** The driver's own errors have no code. Their texts name nothing, so these are taken for codes. */
const DRIVERS_WORDS: ReadonlyMap<string, string> = new Map([
  ['timeout exceeded when trying to connect', 'CONNECT_TIMEOUT'],
  ['timeout expired', 'CONNECT_TIMEOUT'],
  ['Connection terminated due to connection timeout', 'CONNECT_TIMEOUT'],
  ['Query read timeout', 'QUERY_TIMEOUT'],
  ['Connection terminated unexpectedly', 'CONNECTION_LOST'],
  ['Connection terminated', 'CONNECTION_LOST'],
  ['The server does not support SSL connections', 'SERVER_WITHOUT_TLS'],
]);

function driversWord(error: unknown): string | undefined {
  return error instanceof Error ? DRIVERS_WORDS.get(error.message) : undefined;
}

/** Turns the driver's error into one of ours: an unreachable server is not a fault of the request. */
export function asPostgresUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreElsewhere) return error;
  // A fault of this program, not of the database.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // Only the server's own errors have a severity. Five characters in the code prove nothing: EPIPE has five too.
  if (typeof code !== 'string' || typeof severity !== 'string') {
    // A code such as ECONNREFUSED is safe to show; a message might name the user or the address.
    const cause = causeOf(error) ?? driversWord(error);
    return new StoreUnavailable(
      `the database connection failed${cause === undefined ? '' : ` (${cause})`}`,
      cause,
    );
  }
  // FATAL: the server ended the connection, or made none.
  const away = severity === 'FATAL' || UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || code === UNDEFINED_TABLE;
  if (!away) return error;
  const meaning = MEANINGS[code];
  return new StoreUnavailable(
    meaning === undefined ? `the database answered ${code}` : `the database ${meaning} (${code})`,
    code,
  );
}
