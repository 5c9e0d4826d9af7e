import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problem.js';
import { Store } from '../store/store.js';
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
    private readonly store: Store,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The refusal where this address or this card (both as keyed hashes) has been declined too often. */
  async refusal(addressFingerprint: string, cardFingerprint: string): Promise<Problem | undefined> {
    const { limit, mode } = this.config.payments.cardTesting;
    if (limit === 0) return undefined;
    const since = Date.now() - WINDOW_MS;
    const [cards, declines] = await Promise.all([
      this.cardsOf(addressFingerprint, since),
      this.declinesOf(cardFingerprint, since),
    ]);
    if (cards <= limit && declines <= limit) return undefined;
    const by = cards > limit ? 'address' : 'card';
    this.metrics.cardTesting(`${mode === 'shadow' ? 'shadow' : 'refused'}-${by}`);
    this.logOnce(by, by === 'address' ? addressFingerprint : cardFingerprint, mode);
    if (mode === 'shadow') return undefined;
    return new Problem('rate-limited', 'Too many declined cards. Try again later.', {
      retryAfterSeconds: WINDOW_S,
    });
  }

  private async cardsOf(addressFingerprint: string, since: number): Promise<number> {
    const row = await this.store.db
      .selectFrom('declines')
      .select((eb) => eb.fn.count<number>('card_fingerprint').distinct().as('cards'))
      .where('address_fingerprint', '=', addressFingerprint)
      .where('at', '>', since)
      .executeTakeFirst();
    return Number(row?.cards ?? 0);
  }

  private async declinesOf(cardFingerprint: string, since: number): Promise<number> {
    const row = await this.store.db
      .selectFrom('declines')
      .select((eb) => eb.fn.countAll<number>().as('declines'))
      .where('card_fingerprint', '=', cardFingerprint)
      .where('at', '>', since)
      .executeTakeFirst();
    return Number(row?.declines ?? 0);
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
