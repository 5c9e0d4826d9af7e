import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from '../request/client-address.js';

/** The window in seconds. */
const WINDOW = 60;

/** How many callers of a window get a counter of their own. Each counter costs about 300 bytes. */
const MAX_CALLERS = 50_000;

/** All other callers share this many counters. */
const SHARED_COUNTERS = 1_024;

export interface RateLimitResult {
  readonly allowed: boolean;
  /** Seconds until the caller's window ends; 0 where the call is allowed. */
  readonly retryAfterSeconds: number;
  /** How many calls the caller made in the window, this one included. 0 where nothing is counted. */
  readonly calls: number;
}

const ALLOWED: RateLimitResult = { allowed: true, retryAfterSeconds: 0, calls: 0 };

/**
 * Counts calls for each address and minute, in this process. IPv6 callers are counted by their /64 network. Memory is
 * bounded: callers beyond the limit share counters, so a flood from many addresses is limited first.
 */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | undefined;
  readonly #maxCallers: number;
  #newCallers = 0;
  #windowEnds = 0;

  /** `limit` calls a minute; 0 turns it off. */
  constructor(limit: number, maxCallers = MAX_CALLERS) {
    this.#limiter = limit > 0 ? new RateLimiterMemory({ points: limit, duration: WINDOW }) : undefined;
    this.#maxCallers = maxCallers;
  }

  /** Counts one call from this address (see `clientAddress`) and says whether it is within the limit. */
  async check(address: string): Promise<RateLimitResult> {
    if (!this.#limiter) return ALLOWED;
    const key = await this.#counterOf(this.#limiter, addressGroup(address));
    try {
      const { isFirstInDuration, consumedPoints } = await this.#limiter.consume(key);
      if (isFirstInDuration) this.#newCallers++;
      return { ...ALLOWED, calls: consumedPoints };
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      return {
        allowed: false,
        retryAfterSeconds: Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)),
        calls: rejection.consumedPoints,
      };
    }
  }

  async #counterOf(limiter: RateLimiterMemory, caller: string): Promise<string> {
    const now = performance.now();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW * 1000;
      this.#newCallers = 0;
    }
    if (this.#newCallers < this.#maxCallers || (await limiter.get(caller)) !== null) return caller;
    return `shared-${bucketOf(caller)}`;
  }
}

function bucketOf(caller: string): number {
  let hash = 0;
  for (let at = 0; at < caller.length; at++) hash = (hash * 31 + caller.charCodeAt(at)) >>> 0;
  return hash % SHARED_COUNTERS;
}
