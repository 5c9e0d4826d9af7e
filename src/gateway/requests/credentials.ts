import type { Config } from '../../config/config.js';

interface Held {
  readonly apiKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds the two credential headers (seed 5) to an operation's own. */
export class Credentials {
  readonly #config: Pick<Config['gateway'], 'apiKey' | 'accessToken'>;
  readonly #held = new WeakMap<object, Held>();

  constructor(config: Pick<Config['gateway'], 'apiKey' | 'accessToken'>) {
    this.#config = config;
  }

  /**
   * These headers with the credentials that hold now: a file may have changed since the last call. One whose value is missing
   * is left out; the gateway says so with a 401. The result is the same object as long as nothing in it changes, so that
   * what is made of it has to be made only once.
   */
  addedTo(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const apiKey = this.#config.apiKey.current();
    const accessToken = this.#config.accessToken.current();
    let held = this.#held.get(headers);
    if (held?.apiKey !== apiKey || held?.accessToken !== accessToken) held = undefined;
    if (!held) {
      held = {
        apiKey,
        accessToken,
        headers: {
          ...headers,
          ...(apiKey !== undefined && { 'x-api-key': apiKey }),
          ...(accessToken !== undefined && { 'access-token': accessToken }),
        },
      };
      this.#held.set(headers, held);
    }
    return held.headers;
  }
}
