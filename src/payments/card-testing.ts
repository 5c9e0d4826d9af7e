import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problem.js';
import type { DeclineCounts, Wanted } from '../store/write-seam.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Metrics } from '../telemetry/metrics.js';

/** Declines count for so long. */
const WINDOW_MS = 10 * 60_000;
const WINDOW_S = WINDOW_MS / 1000;
/** One line an attack, not one a request. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED = 1_000;

/**
 * Slows those who try stolen cards: too many different cards declined from one address, or too many declines of one
 * card. Counted in the store, so that it holds across sessions and replicas; only issuer declines count.
 */
@Injectable()
export class CardTesting {
  private readonly loggedAt = new Map<string, number>();

  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What a write must look at so that `refusal` can judge; nothing where card testing is not looked for. */
  counting(addressFingerprint: string, cardFingerprint: string): Pick<Wanted, 'declines'> {
    if (this.config.payments.cardTesting.limit === 0) return {};
    return { declines: { addressFingerprint, cardFingerprint, since: Date.now() - WINDOW_MS } };
  }

  /** The refusal where this address or this card (both as keyed hashes) has been declined too often. */
  refusal(
    counts: DeclineCounts | undefined,
    addressFingerprint: string,
    cardFingerprint: string,
  ): Problem | undefined {
    const { limit, mode } = this.config.payments.cardTesting;
    if (limit === 0 || !counts) return undefined;
    const { cardsOfAddress, ofCard } = counts;
    if (cardsOfAddress <= limit && ofCard <= limit) return undefined;
    const by = cardsOfAddress > limit ? 'address' : 'card';
    this.metrics.cardTesting(`${mode === 'shadow' ? 'shadow' : 'refused'}-${by}`);
    this.logOnce(by, by === 'address' ? addressFingerprint : cardFingerprint, mode);
    if (mode === 'shadow') return undefined;
    return new Problem('rate-limited', 'Too many declined cards. Try again later.', {
      retryAfterSeconds: WINDOW_S,
    });
  }

  private logOnce(by: string, fingerprint: string, mode: string): void {
    const now = performance.now();
    const last = this.loggedAt.get(fingerprint);
    if (last !== undefined && now - last < LOG_EVERY_MS) return;
    if (this.loggedAt.size >= MAX_LOGGED) this.loggedAt.clear();
    this.loggedAt.set(fingerprint, now);
    this.logger.warn({ event: 'card_testing', by, fingerprint: fingerprint.slice(0, 12), mode });
  }
}
