import type { Config } from '../../config/config.js';
import { Transport, type TransportResult } from '../transport/transport.js';
import type { TokenProfile } from '../profile/format.js';
import { TokenKeeper, type HandedToken } from './token-keeper.js';
import { planTokenRequest, readToken } from './token-request.js';

/** Called after every request for a token. */
export type ObserveToken = (outcome: string, seconds: number) => void;

/** Fetches the tokens that a profile asks for, with the credentials as they are. */
export class Tokens {
  readonly #config: Config['gateway'];
  readonly #transport: Transport;
  /** A connection of our own, for an address that is not the gateway's. */
  readonly #own: Transport | undefined;
  readonly #keeper: TokenKeeper;
  #credentials = '';

  constructor(config: Config['gateway'], token: TokenProfile, transport: Transport, observe: ObserveToken) {
    this.#config = config;
    this.#transport = transport;
    this.#own = token.path.startsWith('/')
      ? undefined
      : new Transport({ ...config, baseUrl: new URL(token.path).origin });
    const request = planTokenRequest(token);
    this.#keeper = new TokenKeeper(async () => {
      const begun = performance.now();
      const exchange = await (this.#own ?? this.#transport).send({
        ...request(config),
        deadline: begun + config.timeoutMs,
      });
      const fresh = readToken(token, exchange);
      const outcome = fresh
        ? 'token'
        : exchange.kind === 'response'
          ? String(exchange.status)
          : exchange.kind;
      observe(outcome, (performance.now() - begun) / 1000);
      return fresh ? { token: fresh } : { failed: exchange };
    });
  }

  /** A token, or how the attempt to get one ended. `deadline` is a `performance.now()` timestamp. */
  get(deadline: number): Promise<HandedToken | { readonly failed: TransportResult }> {
    const credentials = [this.#config.apiKey.current(), this.#config.accessToken.current()].join('\n');
    if (this.#credentials !== credentials) this.#keeper.forget();
    this.#credentials = credentials;
    return this.#keeper.get(deadline);
  }

  /** The gateway has answered 401 to this token. */
  discard(value: string): void {
    this.#keeper.discard(value);
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }
}
