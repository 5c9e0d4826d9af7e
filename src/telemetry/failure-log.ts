import { causeOf, isError } from './error-fields.js';
import type { LogFields, Logger } from './logger.js';

const EVERY_MS = 60_000;

/** How often each kind of failure came since its last line. */
const repeated = new WeakMap<Logger, Map<string, { count: number }>>();

/**
 * Warns of a failure that is tried again: `reason` is the error's name, `cause` the code of what it ends in. An error
 * without such a code is logged with its stack. Equal failures are one line a minute: see {@link logKind}.
 */
export function logFailure(logger: Logger, { event, ...about }: LogFields, error: unknown): void {
  const cause = causeOf(error);
  // An error with a word of its own, such as a store that is away, explains itself.
  const isExpected = cause !== undefined || (isError(error) && 'code' in error);
  const kind = { event, reason: isError(error) ? error.name : typeof error, ...(cause && { cause }) };
  logKind(logger, kind, { ...about, ...(!isExpected && { error }) });
}

/**
 * Logs the first failure of its kind at once, with what it is `about`. Those of the next minute are one line at its end,
 * with their `count`, and so on until a minute has none.
 */
export function logKind(
  logger: Logger,
  kind: LogFields,
  about: Omit<LogFields, 'event'> = {},
  level: 'warn' | 'error' = 'warn',
): void {
  const kinds = repeated.get(logger) ?? new Map<string, { count: number }>();
  repeated.set(logger, kinds);
  const key = JSON.stringify(kind);
  const known = kinds.get(key);
  if (known) {
    known.count += 1;
    return;
  }
  logger[level]({ ...kind, ...about });
  const line = { count: 0 };
  kinds.set(key, line);
  const timer = setInterval(() => {
    if (line.count > 0) logger[level]({ ...kind, count: line.count });
    else {
      kinds.delete(key);
      clearInterval(timer);
    }
    line.count = 0;
  }, EVERY_MS).unref();
}
