import type { Problem } from '../generated/api.js';
import type { Fault } from './types.js';

/** The service's problem codes and the kit's own. Later versions of the service may know more. */
export type TillfrontErrorCode =
  Problem['code'] | 'no-answer' | 'insecure-context' | 'invalid-token' | (string & {});

export interface TillfrontErrorDetails {
  status?: number;
  paymentId?: string;
  errors?: Fault[];
  retryAfterSeconds?: number;
  requestId?: string;
}

/**
 * Why a call did not work. `code` is the service's problem code (`validation-failed`, `payment-in-progress`, …), or one of
 * the kit's own: `no-answer` (nothing is known; the same call again is safe and asks for the lost answer),
 * `insecure-context` (the page is not served over https, so the card cannot be encrypted), `invalid-token`.
 */
export class TillfrontError extends Error {
  readonly code: TillfrontErrorCode;
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The payment that the call began or met. */
  readonly paymentId: string | undefined;
  readonly errors: Fault[];
  /** Seconds after which another try makes sense. */
  readonly retryAfterSeconds: number | undefined;
  /** For the shop's support: names the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(code: TillfrontErrorCode, message: string, details: TillfrontErrorDetails = {}) {
    super(message);
    this.name = 'TillfrontError';
    this.code = code;
    this.status = details.status ?? 0;
    this.paymentId = details.paymentId;
    this.errors = details.errors ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
  }
}
