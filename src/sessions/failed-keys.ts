import { Injectable, Inject } from '@nestjs/common';
import { SHOWN_KEY } from '../audit/audit-actions.js';
import { AuditTrail, type BegunEntry } from '../audit/audit-trail.js';
import { addressGroup } from '../http/request/client-address.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { RateLimit } from '../http/limits/rate-limit.js';
import { keyedHash } from '../secrets/keyed-hash.js';
import type { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

const MINUTE_MS = 60_000;

/** Addresses that get an entry of their own in one minute. All others share one, so that nobody can flood the store. */
const MOST_ADDRESSES = 100;
const OTHERS = 'others';

interface Tally {
  entry: BegunEntry;
  count: number;
}

/**
 * Counts wrong merchant keys by address and minute for the audit; an IPv6 address counts by its /64. The entry is begun with the
 * first of them and gets its count and its place when its minute is over, because no entry of the audit ever changes.
 */
@Injectable()
export class FailedKeyTally {
  private tallies = new Map<string, Tally>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly trail: AuditTrail) {}

  /** Counts one. Nothing waits for it. */
  note(address: string, requestId: string): void {
    const group = addressGroup(address);
    const own = this.tallies.has(group) || this.tallies.size < MOST_ADDRESSES;
    const key = own ? group : OTHERS;
    const tally = this.tallies.get(key);
    if (tally) {
      tally.count += 1;
      return;
    }
    const entry = this.trail.beginLater({
      actor: 'unknown',
      action: SHOWN_KEY,
      object: null,
      address: own ? group : null,
      requestId: own ? requestId : null,
    });
    this.tallies.set(key, { entry, count: 1 });
    this.timer ??= setTimeout(() => void this.end(), MINUTE_MS).unref();
  }

  async stop(): Promise<void> {
    await this.end();
  }

  private async end(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const ended = [...this.tallies.values()];
    this.tallies = new Map();
    await Promise.all(ended.map(({ entry, count }) => entry.end('unauthorized', { count })));
  }
}

/** Wrong keys that one address may show in a minute before it is told to wait. */
const WRONG_KEYS_A_MINUTE = 20;

/**
 * How many lines about wrong keys are logged in a minute, for all addresses together, so that a caller with many
 * addresses cannot flood the log.
 */
const LINES_A_MINUTE = 200;

/** Enough to tell keys apart. */
const HASH_LENGTH = 16;

/**
 * Counts wrong merchant keys by address, in this process. A right key always passes, because several shops, or a
 * colleague who mistypes, may share its address.
 */
@Injectable()
export class FailedKeys {
  readonly #wrong = new RateLimit(WRONG_KEYS_A_MINUTE);
  readonly #lines = new RateLimit(LINES_A_MINUTE);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tally: FailedKeyTally,
  ) {}

  /** Counts and logs a wrong key; what to answer is `unauthorized`, or `rate-limited` after too many of this address. */
  async note(key: string, address: string, requestId: string): Promise<Problem> {
    const { allowed, calls, retryAfterSeconds } = await this.#wrong.check(address);
    this.metrics.failedKeys.inc({ result: allowed ? 'refused' : 'limited' });
    this.tally.note(address, requestId);
    // Up to the bound each has its line, then the first one beyond it speaks for the rest of the minute.
    if (calls <= WRONG_KEYS_A_MINUTE + 1) await this.#tell(key, address, requestId, allowed);
    if (allowed) return new Problem('unauthorized', 'This key or token is not known here.');
    return new Problem('rate-limited', 'Too many wrong keys from this address. Try again later.', {
      retryAfterSeconds,
    });
  }

  async #tell(key: string, address: string, requestId: string, allowed: boolean): Promise<void> {
    const { allowed: logged, calls } = await this.#lines.check('all');
    if (!logged) {
      if (calls === LINES_A_MINUTE + 1) this.logger.warn({ event: 'merchant_key.not_all_logged' });
    } else if (allowed) {
      const [signing = ''] = this.config.keys.secretKeys.current();
      const fingerprint = keyedHash(signing, 'fingerprint', `merchant-key\n${key}`).slice(0, HASH_LENGTH);
      this.logger.warn({ event: 'merchant_key.failed', requestId, address, fingerprint });
    } else {
      this.logger.warn({ event: 'merchant_key.limited', requestId, address });
    }
  }
}
