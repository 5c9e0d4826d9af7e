import { causeOf, isError } from './error-fields.js';
import type { Logger } from './logger.js';

const EVERY_MS = 60_000;

/** What tells one kind of failure from another, and is therefore in each of its lines. */
export interface FailureKind {
  event: string;
  [member: string]: string | number | undefined;
}

/** What is logged of a failure besides its reason. Only `event` tells one kind from another. */
export interface FailureFields {
  event: string;
  [member: string]: unknown;
}

interface Repeated {
  /** Failures since the last line. */
  count: number;
}

const repeated = new WeakMap<Logger, Map<string, Repeated>>();

/**
 * Warns of a failure that is tried again: `reason` is the error's name, `cause` the code of what it ends in (see {@link causeOf}). An
 * error without such a code is logged with its stack. Equal failures are one line a minute: see {@link logKind}.
 */
export function logFailure(logger: Logger, { event, ...about }: FailureFields, error: unknown): void {
  const cause = causeOf(error);
  // An error with a word of its own, such as a store that is away, explains itself.
  const isExpected = cause !== undefined || (isError(error) && 'code' in error);
  logKind(
    logger,
    { event, reason: isError(error) ? error.name : typeof error, cause },
    { ...about, ...(!isExpected && { err: error }) },
  );
}

/**
 * Logs the first failure of its kind at once, with what it is `about`. Those of the next minute are one line at its end, with their
 * `count`, whatever they are about, and so on until a minute has none.
 */
export function logKind(
  logger: Logger,
  kind: FailureKind,
  about: object = {},
  level: 'warn' | 'error' = 'warn',
): void {
  const key = JSON.stringify(kind);
  const kinds = kindsOf(logger);
  const known = kinds.get(key);
  if (known) {
    known.count += 1;
    return;
  }
  logger[level]({ ...kind, ...about });
  const line: Repeated = { count: 0 };
  kinds.set(key, line);
  const next = (): void => {
    if (line.count === 0) {
      kinds.delete(key);
      return;
    }
    logger[level]({ ...kind, count: line.count });
    line.count = 0;
    setTimeout(next, EVERY_MS).unref();
  };
  setTimeout(next, EVERY_MS).unref();
}

function kindsOf(logger: Logger): Map<string, Repeated> {
  let kinds = repeated.get(logger);
  if (!kinds) {
    kinds = new Map();
    repeated.set(logger, kinds);
  }
  return kinds;
}
