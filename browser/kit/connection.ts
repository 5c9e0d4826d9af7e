import type { Fault } from './types.js';
import { ServiceClock } from './service-clock.js';
import { TillfrontError } from './tillfront-error.js';

/**
 * There is no trustworthy answer: the request may or may not have arrived. Sending it again with the same key is harmless.
 */
export class NoAnswer extends Error {
  constructor(
    readonly retryAfterSeconds?: number,
    readonly paymentId?: string,
  ) {
    super('no answer');
  }
}

export interface Answer<T> {
  body: T;
  /** After how many seconds the service wants to be asked again, where it says so. */
  retryAfterSeconds: number | undefined;
}

export interface RequestOptions {
  /** If given, this is posted as JSON. */
  json?: string;
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

interface ProblemBody {
  code?: unknown;
  detail?: unknown;
  title?: unknown;
  errors?: unknown;
  paymentId?: unknown;
  requestId?: unknown;
}

/** Longer than the service itself waits for the gateway. */
const TIMEOUT_MS = 60_000;

/** Problems that do not say whether the request was carried out, or say that the first one is still running. */
const UNSETTLED = new Set([
  'idempotency-in-flight',
  'store-unavailable',
  'overloaded',
  'shutting-down',
  'request-timeout',
  'internal-error',
]);

/** Sends one request, once. Throws {@link TillfrontError} for a definite refusal and {@link NoAnswer} for anything unclear. */
export class Connection {
  readonly baseUrl: string;
  readonly clock = new ServiceClock();
  readonly #clientToken: string;

  constructor(baseUrl: string, clientToken: string) {
    this.baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#clientToken = clientToken;
  }

  async send<T>(path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, TIMEOUT_MS);
    if (options.signal?.aborted) abort();
    else options.signal?.addEventListener('abort', abort);
    let response: Response;
    let body: unknown;
    let heard: number;
    try {
      response = await fetch(this.baseUrl + path, {
        method: options.json === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${this.#clientToken}`,
          accept: 'application/json',
          ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        ...(options.json === undefined ? {} : { body: options.json }),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: stop.signal,
      });
      // The body may take long, and the date is that of the head.
      heard = performance.now();
      body = await response.json();
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      // network error, timeout, or a body that is not JSON: the result of the request is unknown
      void error;
      throw new NoAnswer();
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
    }
    if (!isObject(body)) throw new NoAnswer();
    this.clock.hear(response.headers.get('date'), heard);
    if (response.ok) {
      return {
        body: body as T,
        retryAfterSeconds: retryAfterOf(response),
      };
    }
    throw refusal(response, body);
  }
}

function refusal(response: Response, problem: ProblemBody): TillfrontError | NoAnswer {
  const retryAfterSeconds = retryAfterOf(response);
  const paymentId = textOf(problem.paymentId);
  const code = textOf(problem.code);
  // an answer that is not a problem document of the service comes from something in between, like a proxy
  if (code === undefined || UNSETTLED.has(code)) return new NoAnswer(retryAfterSeconds, paymentId);
  const errors = Array.isArray(problem.errors) ? problem.errors.filter(isFault) : [];
  const requestId = textOf(problem.requestId);
  return new TillfrontError(code, textOf(problem.detail) ?? textOf(problem.title) ?? code, {
    status: response.status,
    errors,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && typeof value['pointer'] === 'string' && typeof value['message'] === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
