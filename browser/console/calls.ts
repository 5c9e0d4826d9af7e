import { Refused, refusal } from './refused.js';

type Init = RequestInit & { headers?: Record<string, string> };

/** A call that changes something and has no clear answer yet. */
interface Unanswered {
  /** What was asked for. */
  wish: string;
  key: string;
}

/** Refusals after which the same wish may still be under way: it is sent again under its key, never under a new one. */
const UNCLEAR = new Set([
  'no-answer',
  'unknown',
  'idempotency-in-flight',
  'request-timeout',
  'store-unavailable',
  'internal-error',
  'overloaded',
  'shutting-down',
  'rate-limited',
]);

/** Calls the service with a merchant key, which is kept only here. */
export class Calls {
  readonly #baseUrl: string;
  readonly #key: string;
  /** By path, so that a retry is never a second action. */
  readonly #unanswered = new Map<string, Unanswered>();

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#key = key;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#send<T>(path, {})).body;
  }

  /** The answer with the seconds after which the service wants to be asked again, 0 where it does not say. */
  getInTurn<T>(path: string, signal: AbortSignal): Promise<{ body: T; retryAfterSeconds: number }> {
    return this.#send<T>(path, { signal });
  }

  /** A question whose words are nothing for an address. It changes nothing, so it needs no key of its own. */
  async ask<T>(path: string, body: object): Promise<T> {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await this.#send<T>(path, init)).body;
  }

  /** A file. */
  async file(path: string): Promise<Blob> {
    return (await this.#answer(path, {})).blob();
  }

  post<T>(path: string, body: object): Promise<T> {
    const json = JSON.stringify(body);
    return this.#change<T>(path, json, { type: 'application/json', content: json });
  }

  async #change<T>(
    path: string,
    wish: string,
    { type, content }: { type: string; content: Blob | string },
  ): Promise<T> {
    const before = this.#unanswered.get(path);
    if (before !== undefined && before.wish !== wish) {
      this.#unanswered.delete(path);
      throw new Refused(
        'earlier-unanswered',
        'The last attempt got no clear answer and may have gone through. Check this page before you try anything else.',
      );
    }
    const key = before?.key ?? crypto.randomUUID();
    this.#unanswered.set(path, { wish, key });
    try {
      const { body } = await this.#send<T>(path, {
        method: 'POST',
        headers: { 'content-type': type, 'idempotency-key': key },
        body: content,
      });
      this.#unanswered.delete(path);
      return body;
    } catch (error) {
      if (error instanceof Refused && !UNCLEAR.has(error.code)) this.#unanswered.delete(path);
      throw error;
    }
  }

  async #send<T>(path: string, init: Init): Promise<{ body: T; retryAfterSeconds: number }> {
    const response = await this.#answer(path, init);
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0) || 0;
    return { body: (await bodyOf(response, init)) as T, retryAfterSeconds };
  }

  /** The answer to a call that was not refused. */
  async #answer(path: string, init: Init): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.#baseUrl + path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${this.#key}` },
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw noAnswer();
    }
    if (response.ok) return response;
    throw refusal(await bodyOf(response, init));
  }
}

async function bodyOf(response: Response, { signal }: Init): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noAnswer();
  }
}

function noAnswer(): Refused {
  return new Refused('no-answer', 'There was no answer. It is safe to try again.');
}
