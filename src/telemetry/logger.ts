import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../config/config.js';
import { errorFields } from './error-fields.js';

/**
 * Everything that may be logged, besides `level` and `time`: names, ids, codes and figures. Never what a payer typed, a
 * secret or the gateway's own words. docs/logs.md lists the events.
 */
export interface LogFields {
  /** What happened: a stable, dotted name. */
  event: string;
  requestId?: string;
  paymentId?: string;
  sessionId?: string;
  reference?: string;
  gatewayReference?: string;
  /** Who: `payer`, `merchant` or `merchant:<name>`. */
  actor?: string;
  address?: string;
  method?: string;
  /** The route's template, because addresses hold tokens. */
  route?: string;
  status?: string | number;
  /** The status that a payment or delivery had before. */
  from?: string;
  /** A code of ours: of a problem, a failure, a circuit. */
  code?: string;
  reason?: string;
  /** The code of a library's or the system's failure, as {@link causeOf} finds it. */
  cause?: string;
  operation?: string;
  outcome?: string;
  kind?: string;
  by?: string;
  action?: string;
  object?: string;
  /** A keyed hash. */
  fingerprint?: string;
  count?: number;
  attempts?: number;
  ms?: number;
  seconds?: number;
  /** Names of variables, assumptions or references. */
  names?: readonly string[];
  origin?: string;
  host?: string;
  port?: number;
  merchantPort?: number;
  mode?: string;
  store?: string;
  signal?: string;
  exitCode?: number;
  /** What to do. */
  remedy?: string;
  error?: unknown;
  /** Of the framework's own lines. */
  context?: string;
  message?: string;
  traceId?: string;
  spanId?: string;
}

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** The log: JSON lines of typed fields. */
export type Logger = Record<Level, (fields: LogFields) => void>;

/** Injection token of the {@link Logger}. */
export const LOGGER = Symbol('LOGGER');

/** The most bytes of lines that wait for a slow reader. Further lines are dropped: a log must not fill the memory. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Lines are written together: so many bytes of them, or after so long. */
const MIN_WRITE = 4_096;
const FLUSH_MS = 100;

/**
 * What looks like a card number: 13 to 19 digits with a known first one or two, with single blanks or dashes between them.
 * UUIDs, trace and span ids are skipped as a whole, and times and milliseconds begin with other digits.
 */
const CARD_OR_ID =
  /\b(?=[\d-]{0,35}[a-f])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}|[\da-f]{16})\b|(?<!\d)(?:[3-6]\d|2[2-7]|8[12]|97)(?:[ -]?\d){11,17}(?!\d)/g;

/** The line without what looks like a card number: a net under the typed fields. */
export function maskCards(line: string): string {
  return line.replace(CARD_OR_ID, (found) => (/[a-f]/.test(found) ? found : '[card]'));
}

/**
 * Writes lines to standard output off the main thread, because a payment must not wait for a slow reader. They are flushed
 * when the process exits. `correlate` adds members to each line.
 */
export function createLogger(
  { logLevel }: Pick<Config['telemetry'], 'logLevel'>,
  stream: DestinationStream = standardOutput(),
  correlate?: () => object,
): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorFields },
      hooks: { streamWrite: maskCards },
      ...(correlate && { mixin: correlate }),
    },
    stream,
  );
}

function standardOutput(): DestinationStream {
  const output = pino.destination({
    ...{ dest: 1, sync: false, maxLength: MAX_WAITING },
    ...{ minLength: MIN_WRITE, periodicFlush: FLUSH_MS },
  });
  // A reader that is gone must not end the service.
  output.on('error', () => undefined);
  process.once('exit', () => {
    try {
      output.flushSync();
    } catch {
      // Nobody reads it any more.
    }
  });
  return output;
}
