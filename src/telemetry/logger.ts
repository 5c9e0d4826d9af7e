import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../config/config.js';
import { errorFields, isError } from './error-fields.js';
import { LogOutput } from './log-output.js';
import { scrubLine } from './scrub.js';

export type { Logger } from 'pino';

const STANDARD_OUTPUT = 1;

export interface LoggerOptions {
  /** Members of each line, such as a trace id. */
  correlate?: () => object;
  /** Called with the number of lines that are lost, whenever some are: see {@link LogOutput}. */
  lost?: (lines: number) => void;
}

const outputs = new WeakMap<Logger, LogOutput>();

/**
 * The log: JSON lines with `level` as a word, `time` (RFC 3339 UTC), and by convention `event` (a stable, dotted name of what
 * happened) and `requestId`. Every line passes the scrubber.
 *
 * Without a stream it writes to the standard output off the main thread, because a payment must not wait for a slow
 * reader. It is flushed at each `fatal` line, when the process exits, and by {@link flushLog}.
 */
export function createLogger(
  config: Pick<Config['telemetry'], 'logLevel'>,
  stream?: DestinationStream,
  { correlate, lost }: LoggerOptions = {},
): Logger {
  const output = stream === undefined ? new LogOutput(STANDARD_OUTPUT, { ...(lost && { lost }) }) : undefined;
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
    stream ?? output,
  );
  if (output) {
    outputs.set(logger, output);
    process.once('exit', () => output.flushSync());
  }
  return logger;
}

/** Writes what the log still holds, within a bounded time. Await it as the last step of a shutdown. */
export async function flushLog(logger: Logger): Promise<void> {
  await outputs.get(logger)?.flush();
}

/** Errors under any key are logged by their harmless members only. */
function withoutRawErrors(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (isError(fields[name]) && name !== 'err' && name !== 'error') {
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, isError(value) ? errorFields(value) : value]),
      );
    }
  }
  return fields;
}
