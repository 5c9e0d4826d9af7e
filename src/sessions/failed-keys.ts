import { Injectable, Inject } from '@nestjs/common';
import { Audit } from '../audit/audit.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { RateLimit } from '../http/limits/rate-limit.js';
import { keyedHash } from '../secrets/keyed-hash.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

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
    private readonly audit: Audit,
  ) {}

  /** Counts and logs a wrong key; what to answer is `unauthorized`, or `rate-limited` after too many of this address. */
  async note(key: string, address: string, requestId: string): Promise<Problem> {
    const { allowed, calls, retryAfterSeconds } = await this.#wrong.check(address);
    this.audit.refusedKey(address, requestId);
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
      const [signing = ''] = this.config.keys.secretKeys.unwrap();
      const fingerprint = keyedHash(signing, 'fingerprint', `merchant-key\n${key}`).slice(0, HASH_LENGTH);
      this.logger.warn({ event: 'merchant_key.failed', requestId, address, fingerprint });
    } else {
      this.logger.warn({ event: 'merchant_key.limited', requestId, address });
    }
  }
}
