import { isNativeError } from 'node:util/types';
import { scrub } from './scrub.js';

/** An error in the form in which it is logged. */
export interface ErrorFields {
  type: string;
  message: string;
  code?: string;
  stack?: string;
}

/** Whether a value is an error, including one of another realm and one that only inherits from `Error`. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error;
}

/**
 * Takes the few helpful members of an error, scrubbed. It never takes request, configuration, headers or cause, because
 * HTTP clients attach whole requests with card and credentials to them.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: scrub(describe(error)) };
  const fields: ErrorFields = { type: error.name, message: scrub(error.message) };
  if ('code' in error && typeof error.code === 'string') fields.code = scrub(error.code);
  if (typeof error.stack === 'string') fields.stack = scrub(error.stack);
  return fields;
}

/** A thrown value that is not an error is shown only if it is a text. */
function describe(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : 'not an Error';
}

/** How many nested causes are looked at. */
const MAX_CAUSES = 5;
/** SQLSTATEs, errnos, and the codes of TLS, DNS and SQLite: a fixed word of a library, never a value. */
const CODE = /^[A-Z][A-Z\d_]{2,60}$|^[\dA-Z]{5}$/;

/**
 * Why something failed, as a code that is safe to log and to show: the one of the innermost cause that has any, such as `ECONNREFUSED`,
 * `CERT_HAS_EXPIRED`, `ENOTFOUND` or the SQLSTATE `53100`. Messages are left out, because they name hosts, users and values.
 * Undefined where there is no such code.
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
