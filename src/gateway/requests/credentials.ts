import type { Config } from '../../config/config.js';

interface Held {
  readonly apiKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds the two credential headers (seed 5) to an operation's own headers. */
export class Credentials {
  readonly #config: Pick<Config['gateway'], 'apiKey' | 'accessToken'>;
  readonly #held = new WeakMap<object, Held>();

  constructor(config: Pick<Config['gateway'], 'apiKey' | 'accessToken'>) {
    this.#config = config;
  }

  /**
   * The headers with the current credentials, because a credential file may have changed since the last call. A
   * credential without a value is left out, and the gateway then answers 401. The same object is returned as long as
   * nothing changes, so that callers can cache what they build from it.
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
