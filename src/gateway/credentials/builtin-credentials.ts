import type { Config } from '../../config/config.js';

/** What the credentials are read from. A credential file may change while the service runs. */
export type CredentialSource = Pick<Config['gateway'], 'apiKey' | 'accessToken'>;

interface Held {
  readonly apiKey: string | undefined;
  readonly accessToken: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds the two credential headers (seed 5) to an operation's own headers, where the profile has no sets of its own. */
export class BuiltInCredentials {
  readonly #source: CredentialSource;
  readonly #held = new WeakMap<object, Held>();

  constructor(source: CredentialSource) {
    this.#source = source;
  }

  /**
   * The headers with the current credentials. A credential without a value is left out, and the gateway then answers 401.
   * The same object is returned as long as nothing changes, so that callers can cache what they build from it.
   */
  addedTo(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const apiKey = this.#source.apiKey.unwrap();
    const accessToken = this.#source.accessToken.unwrap();
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
