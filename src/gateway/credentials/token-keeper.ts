import type { TransportResult } from '../transport/transport.js';
import type { FreshToken } from './token-request.js';

/** A token for one request. */
export interface HandedToken {
  readonly value: string;
  /** It was fetched for an earlier request, so the gateway may have ended it meanwhile. */
  readonly fromCache: boolean;
}

/** How an attempt to fetch a token ended. */
export type FetchedToken = { readonly token: FreshToken } | { readonly failed: TransportResult };

interface Cached extends FreshToken {
  /** When it is renewed, and when it ends: `performance.now()` timestamps. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** Renewed so long before its end, or at four fifths of a shorter life. */
const RENEW_AHEAD_SECONDS = 60;

/**
 * The one token of the process. It is fetched by one caller at a time, shared by all calls, renewed ahead of its end and
 * thrown away when the gateway rejects it.
 */
export class TokenKeeper {
  readonly #fetch: () => Promise<FetchedToken>;
  readonly #now: () => number;
  #cached: Cached | undefined;
  #fetching: Promise<FetchedToken> | undefined;

  /** @param now a monotonic clock, in milliseconds. */
  constructor(fetch: () => Promise<FetchedToken>, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** The token, fetched if there is none that will last. `deadline` is a time of the keeper's clock. */
  async get(deadline: number): Promise<HandedToken | { readonly failed: TransportResult }> {
    const cached = this.#cached;
    if (cached && this.#now() < cached.renewAt) return { value: cached.value, fromCache: true };
    this.#fetching ??= this.#renew();
    const fetched = await within(this.#fetching, deadline - this.#now());
    if ('token' in fetched) return { value: fetched.token.value, fromCache: false };
    // A renewal ahead of time that fails costs nothing while the old one lasts.
    const old = this.#cached;
    return old && this.#now() < old.endsAt ? { value: old.value, fromCache: true } : fetched;
  }

  /** The gateway has rejected this token. A newer one stays. */
  discard(value: string): void {
    if (this.#cached?.value === value) this.#cached = undefined;
  }

  /** Throws the token away, whatever it is: the credentials that it was fetched with have changed. */
  forget(): void {
    this.#cached = undefined;
  }

  async #renew(): Promise<FetchedToken> {
    try {
      const fetched = await this.#fetch();
      if ('token' in fetched) {
        const { value, seconds } = fetched.token;
        const ahead = Math.min(RENEW_AHEAD_SECONDS, seconds / 5);
        const now = this.#now();
        this.#cached = {
          value,
          seconds,
          renewAt: now + (seconds - ahead) * 1000,
          endsAt: now + seconds * 1000,
        };
      }
      return fetched;
    } finally {
      this.#fetching = undefined;
    }
  }
}

const TIMED_OUT: FetchedToken = { failed: { kind: 'unknown', reason: 'timeout' } };

/** The fetch goes on for the others when one caller's time is over. */
async function within(fetching: Promise<FetchedToken>, milliseconds: number): Promise<FetchedToken> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<FetchedToken>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 0), TIMED_OUT);
  });
  try {
    return await Promise.race([fetching, over]);
  } finally {
    clearTimeout(timer);
  }
}
