import type { Fault, Problem } from './api.js';

/**
 * Why a call failed. Most codes are the service's own (`docs/integrate.md`). `no-answer`: nothing answered, or not in time.
 * `not-the-service`: what answered is something else, such as a proxy.
 */
export type ErrorCode = Problem['code'] | 'no-answer' | 'not-the-service';

interface Details {
  status?: number | undefined;
  problem?: Partial<Problem> | undefined;
  idempotencyKey?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A call was refused, or its outcome is not known. It contains nothing that was sent. */
export class TillfrontError extends Error {
  override readonly name = 'TillfrontError';
  /** Decide by this. */
  readonly code: ErrorCode;
  /** The HTTP status. Undefined where there was no answer. */
  readonly status: number | undefined;
  /** For support: the service's log has it too. */
  readonly requestId: string | undefined;
  /** The refused fields. */
  readonly errors: readonly Fault[];
  /** The payment that the call began or met. */
  readonly paymentId: string | undefined;
  /** The key of the call. After `no-answer`, repeat the call with this key: with another one it would be a second call. */
  readonly idempotencyKey: string | undefined;
  /** When the service wants to be asked again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.problem?.requestId;
    this.errors = details.problem?.errors ?? [];
    this.paymentId = details.problem?.paymentId;
    this.idempotencyKey = details.idempotencyKey;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
