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
