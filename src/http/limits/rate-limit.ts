import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup } from '../request/client-address.js';

/** The window in seconds. */
const WINDOW = 60;

/** How many callers are counted on their own in a window; each costs about 300 bytes. */
const MAX_CALLERS = 50_000;

/** Callers beyond that share this many counters. */
const SHARED_COUNTERS = 1_024;

export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Seconds until the caller's window ends; 0 where the call is allowed. */
  readonly retryAfterSeconds: number;
  /** How many there were in the caller's window, this one counted; 0 where nothing is counted. */
  readonly calls: number;
}

const ALLOWED: RateLimitVerdict = { allowed: true, retryAfterSeconds: 0, calls: 0 };

/**
 * Counts calls an address and minute in this process. An IPv6 caller is its /64 network. Memory is bounded: a flood
 * from more addresses than one process ever serves is counted in shared buckets, so it limits itself first.
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

  /** Counts one call of this address (see `clientAddress`) and says whether it is within the limit. */
  async check(address: string): Promise<RateLimitVerdict> {
    if (!this.#limiter) return ALLOWED;
    const key = await this.#counterOf(this.#limiter, addressGroup(address));
    try {
      const { isFirstInDuration, consumedPoints } = await this.#limiter.consume(key);
      if (isFirstInDuration) this.#newCallers++;
      return { ...ALLOWED, calls: consumedPoints };
    } catch (verdict) {
      if (!(verdict instanceof RateLimiterRes)) throw verdict;
      return {
        allowed: false,
        retryAfterSeconds: Math.max(1, Math.ceil(verdict.msBeforeNext / 1000)),
        calls: verdict.consumedPoints,
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
