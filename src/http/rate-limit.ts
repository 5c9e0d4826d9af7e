import { addressGroup } from './address.js';

const MINUTE_MS = 60_000;

/** Callers with a counter of their own. All others of the minute share one, so that memory is bounded. */
const MAX_CALLERS = 50_000;

export interface RateLimitResult {
  readonly allowed: boolean;
  /** Seconds until the minute ends. */
  readonly retryAfterSeconds: number;
}

/** Counts calls by address (IPv6: its /64) and minute, in this process. */
export class RateLimit {
  #counts = new Map<string, number>();
  #endsAt = 0;

  /** `limit` calls a minute; 0: no limit. */
  constructor(
    private readonly limit: number,
    private readonly maxCallers = MAX_CALLERS,
  ) {}

  /** Counts one call. */
  check(address: string, now = performance.now()): RateLimitResult {
    if (now >= this.#endsAt) {
      this.#counts = new Map();
      this.#endsAt = now + MINUTE_MS;
    }
    const group = addressGroup(address);
    const key = this.#counts.has(group) || this.#counts.size < this.maxCallers ? group : 'others';
    const calls = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, calls);
    return {
      allowed: this.limit === 0 || calls <= this.limit,
      retryAfterSeconds: Math.ceil((this.#endsAt - now) / 1000),
    };
  }
}
