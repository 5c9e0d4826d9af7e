import createClient, { type Client } from 'openapi-fetch';
import type { paths, ProblemFault } from '../generated/api.js';

/** The service's typed calls. They carry the key, which is kept nowhere else. */
export type Service = Client<paths>;

/** A typed client with this key. */
export function connect(baseUrl: string, key: string): Service {
  return createClient<paths>({
    ...{ baseUrl, cache: 'no-store', credentials: 'omit', redirect: 'error' },
    headers: { authorization: `Bearer ${key}` },
  });
}

/** A refusal, with a message for the person at the console. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly faults: readonly ProblemFault[] = [],
  ) {
    super(message);
  }
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The body of an accepted call. Throws `Refused` with the problem's words for any other. */
export async function answer<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw refusal(undefined);
  });
  if (response.ok && data !== undefined) return data;
  throw refusal(error);
}

/** A problem document as an error. Pure. */
export function refusal(body: unknown): Refused {
  if (typeof body !== 'object' || body === null || !('code' in body))
    return new Refused('no-answer', 'There was no answer. It is safe to try again.');
  const { code, detail, title, errors } = body as Record<string, unknown>;
  const words = [detail, title].find((text) => typeof text === 'string') ?? 'The service refused.';
  return new Refused(String(code), String(words), Array.isArray(errors) ? (errors as ProblemFault[]) : []);
}

/** Refusals after which the call may still be under way: it is repeated with its key, never with a new one. */
const UNCLEAR = new Set([
  ...['no-answer', 'idempotency-in-flight', 'request-timeout', 'store-unavailable'],
  ...['internal-error', 'overloaded', 'shutting-down', 'rate-limited'],
]);

type Post = (path: string, options: { headers: object; body: object }) => Promise<Answer<unknown>>;

/** Gives each change its idempotency key. A change without a clear answer keeps it: repeating it never does it twice. */
export class Changes {
  readonly #unclear = new Map<string, { text: string; key: string }>();
  readonly #send: Post;

  constructor(service: { POST: unknown }) {
    this.#send = service.POST as Post;
  }

  /** Posts to a path below `/v1`. Another body is refused once while the last one has no clear answer. */
  async post<T>(path: string, body: object): Promise<T> {
    const text = JSON.stringify(body);
    const before = this.#unclear.get(path);
    if (before !== undefined && before.text !== text) {
      this.#unclear.delete(path);
      throw new Refused(
        'earlier-unanswered',
        'The last attempt got no clear answer and may have gone through. Check this page before you try anything else.',
      );
    }
    const key = before?.key ?? crypto.randomUUID();
    this.#unclear.set(path, { text, key });
    const options = { headers: { 'Idempotency-Key': key }, body };
    try {
      const result = await answer(this.#send(`/v1/${path}`, options));
      this.#unclear.delete(path);
      return result as T;
    } catch (error) {
      if (error instanceof Refused && !UNCLEAR.has(error.code)) this.#unclear.delete(path);
      throw error;
    }
  }
}

/** A key with its name before it, as the configuration has it: `ops-anna=key`. A key may end in `=`. */
const NAMED = /^[a-z0-9-]{1,32}=(?=[^=])/;

/** The key in what was pasted. Pure. */
export function keyIn(pasted: string): string {
  return pasted.trim().replace(NAMED, '');
}
