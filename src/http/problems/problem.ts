import { targetPath } from '../request/request.js';

/** Every refusal and failure that this service answers with, its HTTP status and its title. */
const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The HTTP request is malformed' },
  'malformed-json': { status: 400, title: 'The body is not acceptable JSON' },
  'validation-failed': { status: 400, title: 'The request does not fit' },
  'idempotency-key-missing': { status: 400, title: 'One valid Idempotency-Key header is needed' },
  unauthorized: { status: 401, title: 'No valid credential' },
  forbidden: { status: 403, title: 'The credential does not allow this' },
  'origin-not-allowed': { status: 403, title: 'This browser origin is not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'idempotency-in-flight': { status: 409, title: 'The first request with this key still runs' },
  'payment-in-progress': { status: 409, title: 'A payment is in progress' },
  'session-paid': { status: 409, title: 'Already paid' },
  'session-expired': { status: 409, title: 'The checkout session has expired' },
  'session-closed': { status: 409, title: 'The checkout session is closed' },
  'reference-in-use': { status: 409, title: 'The reference is in use' },
  'not-supported': { status: 409, title: 'The gateway does not support this' },
  'operation-in-progress': { status: 409, title: 'Another operation is in progress' },
  'gateway-refused': { status: 409, title: 'The gateway refused' },
  'outcome-unknown': { status: 409, title: 'The outcome is not known yet' },
  'invalid-state': { status: 409, title: 'Not possible in this state' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'uri-too-long': { status: 414, title: 'The address is too long' },
  'unsupported-media-type': { status: 415, title: 'This media type is not supported' },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key was used for another request' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'header-too-large': { status: 431, title: 'The request header is too large' },
  'internal-error': { status: 500, title: 'Internal error' },
  'gateway-credentials-rejected': { status: 502, title: 'The gateway rejected the merchant’s credentials' },
  'gateway-unavailable': { status: 503, title: 'The gateway cannot be reached' },
  'gateway-busy': { status: 503, title: 'The gateway is busy' },
  'store-unavailable': { status: 503, title: 'The store is unavailable' },
  'payments-held': { status: 503, title: 'No payment can be started now' },
  overloaded: { status: 503, title: 'Too many requests at once' },
  'shutting-down': { status: 503, title: 'Shutting down' },
} as const satisfies Record<string, { status: number; title: string }>;

/** The stable name of a problem. Clients decide by it; titles and details are for people. */
export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that does not fit. */
export interface ProblemFault {
  /** JSON pointer (RFC 6901) to the member of the body, or to the query parameter. Empty for the body as a whole. */
  readonly pointer: string;
  /** What is expected there. It never repeats the value. */
  readonly message: string;
  /** Of a CSV file: the line, the header's being 1. */
  readonly line?: number;
  /** Of a CSV file: the name of the column. */
  readonly column?: string;
}

export interface ProblemExtra {
  readonly errors?: readonly ProblemFault[];
  /** The payment that the request began or met. */
  readonly paymentId?: string;
  /** Seconds after which a retry makes sense: the `Retry-After` header, rounded up. */
  readonly retryAfterSeconds?: number;
  /** The methods that the address supports: the `Allow` header of a 405. */
  readonly allow?: readonly string[];
}

/**
 * A refusal or failure with its place in the API. Throw it anywhere below a controller. The filter sends it as
 * `application/problem+json` (RFC 9457). `detail` is shown to the caller and must never repeat what the caller sent.
 */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: ProblemExtra = {},
  ) {
    super(`${code}: ${detail}`);
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  get title(): string {
    return PROBLEMS[this.code].title;
  }
}

/** The body of an error answer (RFC 9457) with this service's own members. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The path that was asked for, without query and without tokens. */
  instance: string;
  code: ProblemCode;
  requestId: string;
  errors?: readonly ProblemFault[];
  paymentId?: string;
}

/** All codes, for the API description. */
export const problemCodes = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The HTTP status of a code. */
export function problemStatus(code: ProblemCode): number {
  return PROBLEMS[code].status;
}

/** The title of a code, for the API description. */
export function problemTitle(code: ProblemCode): string {
  return PROBLEMS[code].title;
}

/** The URI that identifies a kind of problem. It is a name, not an address, so it is the same for every installation. */
export function problemType(code: ProblemCode): string {
  return `urn:tillfront:problem:${code}`;
}

export function problemDocument(
  problem: Problem,
  request: { readonly instance: string; readonly requestId: string },
): ProblemDocument {
  const { errors, paymentId } = problem.extra;
  return {
    type: problemType(problem.code),
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: request.instance,
    code: problem.code,
    requestId: request.requestId,
    ...(errors && errors.length > 0 ? { errors } : {}),
    ...(paymentId === undefined ? {} : { paymentId }),
  };
}

/** Path segments that reveal nothing: words of the API's paths, and identifiers in the form that this service makes. */
const HARMLESS_SEGMENT =
  /^(?!.*[0-9]{12})(?:[a-z][a-z.-]{0,39}|v[0-9]|(?:apr|cs|dif|evt|pay|stl)_[A-Za-z0-9]{1,64})$/;

/** After these words of a path comes a secret, whatever it looks like. */
const BEFORE_A_SECRET = new Set(['return', 'notifications']);

/**
 * A request target that is safe to show: the path without query, fragment or origin. Every segment that could be a token,
 * or that the caller made up, is replaced by `redacted`.
 */
export function problemInstance(target: string): string {
  const segments = targetPath(target).slice(1, 513).split('/');
  return segments.reduce((shown, segment, index) => {
    const secret = index > 0 && BEFORE_A_SECRET.has(segments[index - 1] ?? '');
    const harmless = segment === '' || (!secret && HARMLESS_SEGMENT.test(segment));
    return `${shown}/${harmless ? segment : 'redacted'}`;
  }, '');
}
