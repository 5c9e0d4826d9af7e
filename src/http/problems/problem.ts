/** Every refusal and failure of this API: its HTTP status and its title. */
const PROBLEMS = {
  'malformed-request': [400, 'The HTTP request is malformed'],
  'malformed-json': [400, 'The body is not acceptable JSON'],
  'validation-failed': [400, 'The request is not valid'],
  'idempotency-key-missing': [400, 'One valid Idempotency-Key header is needed'],
  unauthorized: [401, 'No valid credential'],
  forbidden: [403, 'The credential does not allow this'],
  'origin-not-allowed': [403, 'This browser origin is not allowed'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'request-timeout': [408, 'The request took too long to arrive'],
  'idempotency-in-flight': [409, 'The first request with this key still runs'],
  'payment-in-progress': [409, 'A payment is in progress'],
  'session-paid': [409, 'Already paid'],
  'session-expired': [409, 'The checkout session has expired'],
  'session-closed': [409, 'The checkout session is closed'],
  'reference-in-use': [409, 'The reference is in use'],
  'operation-in-progress': [409, 'Another operation is in progress'],
  'gateway-refused': [409, 'The gateway refused'],
  'outcome-unknown': [409, 'The outcome is not known yet'],
  'not-supported': [409, 'The gateway does not support this'],
  'invalid-state': [409, 'Not possible in this state'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'This media type is not supported'],
  'idempotency-key-reused': [422, 'The Idempotency-Key was used for another request'],
  'rate-limited': [429, 'Too many requests'],
  'header-too-large': [431, 'The request header is too large'],
  'internal-error': [500, 'Internal error'],
  'gateway-credentials-rejected': [502, 'The gateway rejected the merchant’s credentials'],
  'gateway-unavailable': [503, 'The gateway cannot be reached'],
  'gateway-busy': [503, 'The gateway is busy'],
  'store-unavailable': [503, 'The store is unavailable'],
  overloaded: [503, 'Too many requests at once'],
  'payments-held': [503, 'No payment can be started now'],
  'shutting-down': [503, 'Shutting down'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** The stable name of a problem. Clients decide by it; titles and details are for people. */
export type ProblemCode = keyof typeof PROBLEMS;

/** All codes, for the API description. */
export const problemCodes = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** One fault of a request. */
export interface ProblemFault {
  /** JSON pointer (RFC 6901) to the member of the body or to the query parameter. Empty for the whole body. */
  readonly pointer: string;
  /** What is expected there. It never repeats the value. */
  readonly message: string;
}

export interface ProblemExtra {
  readonly errors?: readonly ProblemFault[];
  /** The payment that is the reason. */
  readonly paymentId?: string;
  /** When to try again, for `Retry-After`; 1 s for every other 429 and 503. */
  readonly retryAfterSeconds?: number;
  /** The methods of the address, for the `Allow` header of a 405. */
  readonly allow?: readonly string[];
}

/** A refusal or failure. Throw it anywhere below a controller. `detail` is shown to the caller and never repeats a value. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: ProblemExtra = {},
  ) {
    super(`${code}: ${detail}`);
    this.status = problemStatus(code);
  }
}

/** The body of an error answer (RFC 9457). */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: readonly ProblemFault[];
  paymentId?: string;
}

export function problemStatus(code: ProblemCode): number {
  return PROBLEMS[code][0];
}

export function problemTitle(code: ProblemCode): string {
  return PROBLEMS[code][1];
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The whole answer: headers and body. Whoever writes it adds the constant headers. */
export function problemAnswer(
  { code, status, detail, extra }: Problem,
  requestId: string,
): { headers: Record<string, string>; body: string } {
  const { errors = [], paymentId, allow } = extra;
  const retryAfter = extra.retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  const document: ProblemDocument = {
    // A name for the kind, the same for every installation.
    ...{ type: `urn:tillfront:problem:${code}`, title: problemTitle(code) },
    ...{ status, detail, code, requestId },
    ...(errors.length > 0 && { errors }),
    ...(paymentId !== undefined && { paymentId }),
  };
  return {
    headers: {
      'content-type': PROBLEM_MEDIA_TYPE,
      ...(retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
      ...(allow && { allow: allow.join(', ') }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      // The rest of such a request may still be on its way.
      ...((status === 408 || status === 413) && { connection: 'close' }),
    },
    body: JSON.stringify(document),
  };
}

/** The refusal of invalid values, with at most 50 faults. A single one also stands in `detail`. */
export function validationFailed(faults: readonly ProblemFault[]): Problem {
  const [only] = faults;
  const one = `${only?.pointer === '' ? 'The request' : (only?.pointer ?? '')} ${only?.message ?? ''}.`;
  const detail = faults.length === 1 ? one : `${faults.length} values are not valid; see errors.`;
  return new Problem('validation-failed', detail, { errors: faults.slice(0, 50) });
}
