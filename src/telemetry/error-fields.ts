import { isNativeError } from 'node:util/types';
import { scrub } from './scrub.js';

/** An error as the log shows it. */
export interface ErrorFields {
  type: string;
  message: string;
  code?: string;
  stack?: string;
}

/** Whether a value is an error: one of another realm and one that only inherits from `Error` too. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error;
}

/**
 * Takes the few members of an error that help, scrubbed. Never its request, configuration, headers or cause:
 * clients hang whole requests with card and credentials on them.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!isError(error)) return { type: typeof error, message: scrub(describe(error)) };
  const fields: ErrorFields = { type: error.name, message: scrub(error.message) };
  if ('code' in error && typeof error.code === 'string') fields.code = scrub(error.code);
  if (typeof error.stack === 'string') fields.stack = scrub(error.stack);
  return fields;
}

/** Of what was thrown without being an error, only a text says anything that may be shown. */
function describe(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : 'not an Error';
}
