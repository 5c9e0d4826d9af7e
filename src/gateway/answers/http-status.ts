import { parseAnswer } from './answer-json.js';
import type { GatewayResult } from '../gateway-result.js';
import type { OutcomeReader } from './outcome-reader.js';
import { readRefusal, saysReferenceUsed } from './outcome.js';
import type { TransportResult } from '../transport/transport.js';

/** HTTP statuses beside 200 with which a gateway refuses a reference as used. */
const SAYS_REFERENCE_USED: ReadonlySet<number> = new Set([400, 409, 422]);

/** The longest wait that a gateway may ask for. */
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** An exchange whose result is known without reading a body. */
export type SettledResult = Exclude<GatewayResult, { kind: 'answered' }>;

/** The parsed JSON of an answer, or the result of a call that brought no answer. */
export type Conversation =
  | SettledResult
  | {
      readonly kind: 'document';
      readonly document: unknown;
      /** What the HTTP status says, where only a listed word of the body outranks it. */
      readonly unlessListed?: SettledResult;
    };

/** How the answers of an operation are read. */
export interface ExchangeReader {
  readonly reader: OutcomeReader;
  /** HTTP statuses whose body's listed words count. */
  readonly readStatuses?: ReadonlySet<number>;
}

/**
 * Says what the HTTP status alone means. For 200, 201 and 202 the body decides. A refusal (400, 404, 422) takes its
 * message and code from the body, if there are any.
 */
export function readExchange(exchange: TransportResult, operation: ExchangeReader): Conversation {
  const { reader, readStatuses } = operation;
  const said = readStatusAlone(exchange, reader);
  if (said.kind === 'document' || exchange.kind !== 'response') return said;
  if (!('text' in exchange.body)) return said;
  const { status } = exchange;
  const isListed = readStatuses?.has(status) ?? false;
  if (!isListed && !(reader.readsReferenceUsed && SAYS_REFERENCE_USED.has(status))) return said;
  const answer = parseAnswer(exchange.body.text);
  if (!answer.ok || !(isListed || saysReferenceUsed(reader, answer.document))) return said;
  return { kind: 'document', document: answer.document, unlessListed: said };
}

function readStatusAlone(exchange: TransportResult, reader: OutcomeReader): Conversation {
  if (exchange.kind !== 'response') return exchange;
  const { status, body } = exchange;
  switch (status) {
    case 200:
    case 201:
    case 202: {
      if ('reason' in body) return { kind: 'unknown', reason: body.reason, status };
      const answer = parseAnswer(body.text);
      if (!answer.ok) return { kind: 'unknown', reason: answer.reason, status };
      return { kind: 'document', document: answer.document };
    }
    case 400:
    case 404:
    case 422: {
      const answer = 'text' in body ? parseAnswer(body.text) : undefined;
      return { kind: 'rejected', status, ...(answer?.ok && readRefusal(reader, answer.document)) };
    }
    case 401:
    case 403:
      return { kind: 'credentials-rejected', status };
    case 429: {
      const retryAfterSeconds = readRetryAfter(exchange.retryAfter, Date.now());
      return { kind: 'busy', ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
    }
    default:
      return {
        kind: 'unknown',
        reason: status >= 300 && status < 400 ? 'redirected' : 'http-status',
        status,
      };
  }
}

/** `Retry-After` in seconds (RFC 9110: seconds, or a date), at least 0 and at most a day. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const seconds = /^[0-9]{1,9}$/.test(text)
    ? Number(text)
    : // Date.parse accepts almost any text as a date.
      /^[A-Z][a-z]+, .* GMT$/.test(text)
      ? Math.ceil((Date.parse(text) - nowMs) / 1000)
      : NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
