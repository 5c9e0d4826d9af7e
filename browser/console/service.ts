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

/** The body of an accepted call. Throws `Refused` with the problem's words for any other. */
export async function answer<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    if (reason instanceof DOMException && reason.name === 'AbortError') throw reason;
    throw noAnswer();
  });
  if (response.ok && data !== undefined) return data;
  throw refusal(error);
}

/** A problem document as an error. Pure. */
export function refusal(body: unknown): Refused {
  if (typeof body !== 'object' || body === null || !('code' in body)) return noAnswer();
  const { code, detail, title, errors } = body as Record<string, unknown>;
  const words = [detail, title].find((text) => typeof text === 'string') ?? 'The service refused.';
  return new Refused(String(code), String(words), Array.isArray(errors) ? (errors as ProblemFault[]) : []);
}

function noAnswer(): Refused {
  return new Refused('no-answer', 'There was no answer. It is safe to try again.');
}

/** Refusals after which the call may still be under way: it is repeated with its key, never with a new one. */
const UNCLEAR = new Set([
  ...['no-answer', 'idempotency-in-flight', 'request-timeout', 'store-unavailable'],
  ...['internal-error', 'overloaded', 'shutting-down', 'rate-limited'],
]);

export interface KeyHeader {
  'Idempotency-Key': string;
}

/** Gives each change its idempotency key. A change without a clear answer keeps it: repeating it never does it twice. */
export class Changes {
  readonly #unclear = new Map<string, { body: string; key: string }>();

  /** Makes a change of `object`. Another change of it is refused once while the last one has no clear answer. */
  async make<T>(object: string, body: object, send: (header: KeyHeader) => Promise<T>): Promise<T> {
    const text = JSON.stringify(body);
    const before = this.#unclear.get(object);
    if (before !== undefined && before.body !== text) {
      this.#unclear.delete(object);
      throw new Refused(
        'earlier-unanswered',
        'The last attempt got no clear answer and may have gone through. Check this page before you try anything else.',
      );
    }
    const key = before?.key ?? crypto.randomUUID();
    this.#unclear.set(object, { body: text, key });
    try {
      const result = await send({ 'Idempotency-Key': key });
      this.#unclear.delete(object);
      return result;
    } catch (error) {
      if (error instanceof Refused && !UNCLEAR.has(error.code)) this.#unclear.delete(object);
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
