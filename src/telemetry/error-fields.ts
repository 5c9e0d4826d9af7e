import { isNativeError } from 'node:util/types';

/** An error in the form in which it is logged. */
export interface ErrorFields {
  type: string;
  message?: string;
  code?: string;
  stack?: string;
}

/** Whether a value is an error, including one of another realm and one that only inherits from `Error`. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error;
}

/**
 * The few helpful members of an error. Never request, configuration, headers or cause, because HTTP clients attach whole
 * requests to them. The message of a `SyntaxError` quotes what could not be read, so it is left out.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!isError(error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: error.name,
    ...(error.name !== 'SyntaxError' && { message: error.message }),
    ...(typeof code === 'string' && { code }),
    ...(frames && { stack: frames.join('\n') }),
  };
}

/** How many nested causes are looked at. */
const MAX_CAUSES = 5;
/** SQLSTATEs, errnos, and the codes of TLS, DNS and SQLite: a fixed word of a library, never a value. */
const CODE = /^[A-Z][A-Z\d_]{2,60}$|^[\dA-Z]{5}$/;

/**
 * Why something failed, as a code that is safe to log and to show: the one of the innermost cause that has any, such as
 * `ECONNREFUSED`, `CERT_HAS_EXPIRED` or the SQLSTATE `53100`. Messages are left out, because they name hosts, users and values.
 */
export function causeOf(error: unknown): string | undefined {
  let found: string | undefined;
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES && isError(current); depth++) {
    const { causeCode, code } = current as { causeCode?: unknown; code?: unknown };
    const known = typeof causeCode === 'string' ? causeCode : code;
    if (typeof known === 'string' && CODE.test(known)) found = known;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return found;
}
