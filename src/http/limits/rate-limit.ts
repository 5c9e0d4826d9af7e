import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressGroup, addressNetwork } from '../request/client-address.js';

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

/** A /48 holds many sites, so it may make more calls than one address. */
const NETWORK_FACTOR = 3;

/**
 * Counts calls for each address and minute, in this process. IPv6 callers are counted by their /64 network, and by their /48,
 * which may make three times as many. Memory is bounded: callers beyond the limit share counters, so a flood from many
 * addresses is limited first.
 */
export class RateLimit {
  readonly #addresses: Counters | undefined;
  readonly #networks: Counters | undefined;

  /** `limit` calls a minute; 0 turns it off. */
  constructor(limit: number, maxCallers = MAX_CALLERS) {
    if (limit === 0) return;
    this.#addresses = new Counters(limit, maxCallers);
    this.#networks = new Counters(limit * NETWORK_FACTOR, maxCallers);
  }

  /** Counts one call from this address (see `clientAddress`) and says whether it is within the limit. */
  async check(address: string): Promise<RateLimitResult> {
    const ofAddress = (await this.#addresses?.count(addressGroup(address))) ?? ALLOWED;
    const network = addressNetwork(address);
    // What an address is refused for itself does not use up what its neighbours may do.
    if (!ofAddress.allowed || network === undefined) return ofAddress;
    const { allowed, retryAfterSeconds } = (await this.#networks?.count(network)) ?? ALLOWED;
    return allowed ? ofAddress : { allowed, retryAfterSeconds, calls: ofAddress.calls };
  }
}

/** Counters of callers, each with its own window. */
class Counters {
  readonly #limiter: RateLimiterMemory;
  readonly #maxCallers: number;
  #newCallers = 0;
  #windowEnds = 0;

  constructor(limit: number, maxCallers: number) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: WINDOW });
    this.#maxCallers = maxCallers;
  }

  async count(caller: string): Promise<RateLimitResult> {
    const key = await this.#counterOf(caller);
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

  async #counterOf(caller: string): Promise<string> {
    const now = performance.now();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW * 1000;
      this.#newCallers = 0;
    }
    if (this.#newCallers < this.#maxCallers || (await this.#limiter.get(caller)) !== null) return caller;
    return `shared-${bucketOf(caller)}`;
  }
}

function bucketOf(caller: string): number {
  let hash = 0;
  for (let at = 0; at < caller.length; at++) hash = (hash * 31 + caller.charCodeAt(at)) >>> 0;
  return hash % SHARED_COUNTERS;
}
