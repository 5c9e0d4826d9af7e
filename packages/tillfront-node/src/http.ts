import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from './api.js';
import { TillfrontError } from './tillfront-error.js';

/** How to reach Tillfront. */
export interface TillfrontOptions {
  /** Its address, such as `http://localhost:3000`. Where the service has a `MERCHANT_PORT`, the address with that port. */
  url: string;
  /** A merchant key. Never give it to a browser. */
  apiKey: string;
  /** How long one attempt may take, in milliseconds: 40,000 by default. The service answers a waiting call after 30 s at most. */
  timeoutMs?: number;
  /** How many more attempts a call has: 2 by default. Only calls that cannot be done twice are repeated. */
  maxRetries?: number;
}

/** Options of a call that changes something. */
export interface CallOptions {
  /**
   * Makes repeats harmless: the same key gives the first result. Derive it from what the call is for, such as
   * `refund-of-return-1701`, so that your own repeats have it too. Without it, one is made for this call and its retries.
   */
  idempotencyKey?: string;
}

interface Call {
  query?: object | undefined;
  body?: object | undefined;
  /** The key of a call that has one. It makes the call safe to repeat. */
  idempotencyKey?: string | undefined;
}

/** Refusals of calls that may be done if they come again. With the same key nothing is done twice. */
const WORTH_REPEATING: readonly unknown[] = [
  'idempotency-in-flight',
  'overloaded',
  'rate-limited',
  'shutting-down',
  'store-unavailable',
] satisfies Problem['code'][];
/** What proxies answer in place of a service that they cannot reach. */
const PROXY_STATUSES = [502, 503, 504];
const FIRST_PAUSE_MS = 300;
/** A caller waits for an answer, so a longer pause is left to it. */
const LONGEST_PAUSE_MS = 10_000;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Calls the service. It writes no log, and its errors contain nothing that was sent. */
export class Http {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;

  constructor({ url, apiKey, timeoutMs = 40_000, maxRetries = 2 }: TillfrontOptions) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new TypeError('url must be the http or https address of Tillfront.');
    }
    // fetch would name a malformed header with its value, which is the key.
    if (typeof apiKey !== 'string' || !VISIBLE_ASCII.test(apiKey)) {
      throw new TypeError('apiKey must be a merchant key: visible ASCII characters, without spaces.');
    }
    this.#base = url.replace(/\/$/, '');
    this.#apiKey = apiKey;
    this.#timeoutMs = timeoutMs;
    this.#maxRetries = maxRetries;
  }

  /** A call that only reads. */
  get<T>(path: string, query?: object): Promise<T> {
    return this.#call<T>('GET', path, { query });
  }

  /** A call that changes something, under a key. */
  post<T>(path: string, body: object = {}, { idempotencyKey = randomUUID() }: CallOptions = {}): Promise<T> {
    if (!VISIBLE_ASCII.test(idempotencyKey) || idempotencyKey.length > 255) {
      throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
    }
    return this.#call<T>('POST', path, { body, idempotencyKey });
  }

  /** A call that has no key. It is sent once. */
  postOnce<T>(path: string): Promise<T> {
    return this.#call<T>('POST', path, { body: {} });
  }

  async #call<T>(method: 'GET' | 'POST', path: string, call: Call): Promise<T> {
    const repeatable = method === 'GET' || call.idempotencyKey !== undefined;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt<T>(method, path, call);
      } catch (error) {
        const canGoOn = repeatable && retries < this.#maxRetries;
        if (!canGoOn || !(error instanceof TillfrontError) || !isWorthRepeating(error)) throw error;
        // Jitter, so that many callers do not come back at the same moment.
        const backoff = FIRST_PAUSE_MS * 2 ** retries * (1 + Math.random());
        const pause = error.retryAfterSeconds === undefined ? backoff : error.retryAfterSeconds * 1000;
        if (pause > LONGEST_PAUSE_MS) throw error;
        await sleep(pause);
      }
    }
  }

  async #attempt<T>(method: 'GET' | 'POST', path: string, { query, body, idempotencyKey }: Call): Promise<T> {
    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const response = await fetch(this.#base + path + queryString(query), {
        method,
        headers: {
          authorization: `Bearer ${this.#apiKey}`,
          accept: 'application/json',
          'user-agent': 'tillfront-node',
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        // The service never redirects these calls, and the key must not go elsewhere.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      status = response.status;
      retryAfter = response.headers.get('retry-after');
      text = await response.text();
    } catch (cause) {
      throw new TillfrontError('no-answer', `Tillfront gave no answer to ${method} ${path}.`, {
        idempotencyKey,
        cause,
      });
    }
    const answer = parse(text);
    if (status >= 200 && status < 300 && answer !== undefined) return answer as T;
    throw refusal(status, answer, {
      idempotencyKey,
      retryAfterSeconds: retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined,
    });
  }
}

/** An id as a part of a path. Throws where it is none: `..` would be another call. */
export function segment(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id)) return id;
  throw new TypeError('That is not the id of a session, a payment or an event.');
}

function isWorthRepeating({ code, status }: TillfrontError): boolean {
  if (code === 'not-the-service') return PROXY_STATUSES.includes(status ?? 0);
  return code === 'no-answer' || WORTH_REPEATING.includes(code);
}

function refusal(
  status: number,
  problem: Partial<Problem> | undefined,
  details: { idempotencyKey: string | undefined; retryAfterSeconds: number | undefined },
): TillfrontError {
  if (typeof problem?.code !== 'string') {
    return new TillfrontError('not-the-service', `What answers is not Tillfront (HTTP ${status}).`, {
      status,
      ...details,
    });
  }
  const fields = (problem.errors ?? []).map(({ pointer, message }) => `\n  ${pointer} ${message}`);
  return new TillfrontError(problem.code, `${problem.code}: ${problem.detail ?? ''}${fields.join('')}`, {
    status,
    problem,
    ...details,
  });
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
