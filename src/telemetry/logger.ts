import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../config/config.js';
import { errorFields } from './error-fields.js';
import { scrubLine } from './scrub.js';

export type { Logger } from 'pino';

/** What can be written to at once, where it matters that nothing is lost. */
interface Flushable {
  flushSync(): void;
}

const destinations = new WeakMap<Logger, DestinationStream>();

/**
 * The log: JSON lines with `level` as a word, `time` (RFC 3339 UTC), and by convention `event` (a stable, dotted name of what
 * happened) and `requestId`. Every line passes the scrubbing net. `correlate` adds members to each line, such as a trace id.
 *
 * Without a stream it writes to the standard output, asynchronously, as a payment must not wait for a slow reader;
 * it is flushed at each `fatal` line, when the process exits, and by {@link flushLog}.
 */
export function createLogger(
  config: Pick<Config['telemetry'], 'logLevel'>,
  stream?: DestinationStream,
  correlate?: () => object,
): Logger {
  const destination = stream ?? pino.destination({ dest: 1, sync: false });
  const logger = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutRawErrors },
      serializers: { err: errorFields, error: errorFields },
      hooks: { streamWrite: scrubLine },
      ...(correlate ? { mixin: correlate } : {}),
    },
    destination,
  );
  destinations.set(logger, destination);
  return logger;
}

/** Writes out what the log still holds. Call it as the last thing of a shutdown. */
export function flushLog(logger: Logger): void {
  const destination = destinations.get(logger);
  if (!destination || !isFlushable(destination)) return;
  try {
    destination.flushSync();
  } catch {
    // The reader of the log is gone, or the output is not open yet: there is nobody to tell.
  }
}

function isFlushable(stream: object): stream is Flushable {
  return 'flushSync' in stream && typeof stream.flushSync === 'function';
}

/** Errors under any name are shown by their harmless members only, not as the objects that they are. */
function withoutRawErrors(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (fields[name] instanceof Error && name !== 'err' && name !== 'error') {
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [
          key,
          value instanceof Error ? errorFields(value) : value,
        ]),
      );
    }
  }
  return fields;
}
