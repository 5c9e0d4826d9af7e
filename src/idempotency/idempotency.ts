import { Problem } from '../http/problems/problem.js';
import type { IdempotencyRecord, OperationRecord } from '../store/schema.js';
import { fingerprint, isSameRequest } from './fingerprint.js';

/** A request as its idempotency key sees it. */
export interface KeyedRequest {
  /** The caller whose keys these are: `session:<id>` or `merchant`. */
  scope: string;
  key: string;
  /** The path, which names the resource too. */
  path: string;
  /** The whole validated body. What of it is compared: see `fingerprint`. */
  content: unknown;
}

/** What a request has made, by which its key answers. */
export interface Made {
  /** Null where it is about none. */
  sessionId: string | null;
  paymentId?: string;
  operationId?: string;
  runningUntil?: number;
  sessionExpiresAt: number;
  /** The key answers as long as its payment is kept: used anew, it would give the money back again. */
  lasts?: boolean;
}

const DAY = 24 * 3_600_000;
/** How long keys are kept after the end of their session. */
const KEPT_AFTER_SESSION = 7 * DAY;
/** When the keys of what is kept for ever end: beyond any clock. */
const KEPT_FOR_EVER = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Whether a request with this key was made before and has finished, so that its resource is answered again. False: the
 * key is new, or its time is over and it may be used anew. Throws where the first request is still running, or had a different content. Pure.
 */
export function isReplay(
  record: IdempotencyRecord | undefined,
  operation: OperationRecord | undefined,
  request: KeyedRequest,
  secretKeys: readonly string[],
  now: number,
): boolean {
  if (!record || hasExpired(record, now)) return false;
  if (!isSameRequest(secretKeys, record.fingerprint, request.path, request.content)) {
    throw new Problem(
      'idempotency-key-reused',
      'This Idempotency-Key was used for another request: use a new key for a new request.',
    );
  }
  const inFlight =
    record.operationId === null ? (record.runningUntil ?? 0) > now : operation?.status === 'intended';
  if (inFlight) {
    throw new Problem(
      'idempotency-in-flight',
      'The first request with this key still runs: ask again shortly.',
      {
        ...(record.paymentId !== null && { paymentId: record.paymentId }),
      },
    );
  }
  // A request without an operation that died halfway left nothing that could be answered, so it is made again.
  return record.operationId !== null || record.runningUntil === null;
}

/** Whether the key counts as if it were not there. `now` is by the store's clock. */
export function hasExpired({ expiresAt }: IdempotencyRecord, now: number): boolean {
  return expiresAt <= now;
}

/** The row of a key, to be written together with what its request makes. */
export function keepKey(
  request: KeyedRequest,
  secretKeys: readonly string[],
  made: Made,
  now: number,
): IdempotencyRecord {
  return {
    scope: request.scope,
    key: request.key,
    fingerprint: fingerprint(secretKeys[0] ?? '', request.path, request.content),
    sessionId: made.sessionId,
    paymentId: made.paymentId ?? null,
    operationId: made.operationId ?? null,
    runningUntil: made.runningUntil ?? null,
    createdAt: now,
    expiresAt: made.lasts ? KEPT_FOR_EVER : Math.max(made.sessionExpiresAt, now) + KEPT_AFTER_SESSION,
  };
}
