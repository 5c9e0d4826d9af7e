import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import { Problem } from '../../http/problems/problem.js';
import type { DeclineCounts, Wanted } from '../../store/payment-writer.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { sql, type RawBuilder } from 'kysely';
import { POSTGRES_NOW } from '../../store/count-declines.js';
import { Store } from '../../store/store.js';

/** How long a decline counts. */
const WINDOW_MS = 10 * 60_000;
const WINDOW_S = WINDOW_MS / 1000;
/** The store counts in halves of a decline. */
const HALVES = 2;
/** A /48 holds many sites, so it may have more declines than one address. */
const NETWORK_FACTOR = 3;
/** Logs one line for an attack, not one for each request. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED = 1_000;

/** Who pays and from where, as keyed hashes. */
export interface CardPresenter {
  address: string;
  /** Of the /48 of an IPv6 address. */
  network: string | null;
  card: string;
}

/**
 * Slows down card testing: too many different cards declined from one address or network, or too many declines of one
 * card. Declines are counted in the store, across sessions and replicas; `card-trial.ts` says what counts.
 *
 * Only finished declines count. Attempts at the same time all pass, because refusing them would refuse honest payers
 * who share an address. So at most the attempts that began before the last decline was written exceed the limit.
 */
@Injectable()
export class CardTesting {
  private readonly loggedAt = new Map<string, number>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What `refusal` needs a write to count; nothing where card testing is off. */
  counting({ address, network, card }: CardPresenter): Pick<Wanted, 'declines'> {
    if (this.config.payments.cardTestingLimit === 0) return {};
    return {
      declines: {
        addressFingerprint: address,
        networkFingerprint: network,
        cardFingerprint: card,
        windowMs: WINDOW_MS,
        most: this.most,
      },
    };
  }

  /** The problem where this address, its network or this card was declined too often. */
  refusal(counts: DeclineCounts | undefined, presenter: CardPresenter): Problem | undefined {
    const { cardTestingLimit: limit } = this.config.payments;
    // Without counts the store has seen, or will see, that none is too high.
    if (limit === 0 || !counts) return undefined;
    const by = exceeded(counts, this.most);
    if (by === undefined) return undefined;
    this.logOnce(by, presenter[by] ?? '');
    return new Problem('rate-limited', 'Too many declined cards. Try again later.', {
      retryAfterSeconds: WINDOW_S,
    });
  }

  /** In halves of a decline. */
  private get most(): DeclineCounts {
    const halves = this.config.payments.cardTestingLimit * HALVES;
    return { cardsOfAddress: halves, cardsOfNetwork: halves * NETWORK_FACTOR, ofCard: halves };
  }

  private logOnce(by: string, fingerprint: string): void {
    const now = performance.now();
    const last = this.loggedAt.get(fingerprint);
    if (last !== undefined && now - last < LOG_EVERY_MS) return;
    if (this.loggedAt.size >= MAX_LOGGED) this.loggedAt.clear();
    this.loggedAt.set(fingerprint, now);
    this.logger.warn({ event: 'card_testing', by, fingerprint: fingerprint.slice(0, 12) });
  }
}

/** Which of them has more declines than it may have. */
function exceeded(counts: DeclineCounts, most: DeclineCounts): keyof CardPresenter | undefined {
  if (counts.cardsOfAddress > most.cardsOfAddress) return 'address';
  if (counts.cardsOfNetwork > most.cardsOfNetwork) return 'network';
  return counts.ofCard > most.ofCard ? 'card' : undefined;
}

/** Declines count for ten minutes. They are kept for an hour so that an operator can look at them. */
const KEPT_MS = 60 * 60_000;

/** Deletes old declines. The payment writer writes and counts them. */
@Injectable()
export class DeclinesRepository {
  constructor(private readonly store: Store) {}

  /**
   * Deletes at most `limit` declines that no longer count, and returns how many. Declines from the future, written
   * before the clock was set back, are deleted too: otherwise they would count when that time comes.
   */
  async forget(limit: number): Promise<number> {
    const { db } = this.store;
    const old = db
      .selectFrom('declines')
      .select('id')
      .where('at', '<', this.now(-KEPT_MS))
      .orderBy('at')
      .limit(limit);
    const ahead = db
      .selectFrom('declines')
      .select('id')
      .where('at', '>', this.now(WINDOW_MS))
      .orderBy('at')
      .limit(limit);
    let removed = 0;
    for (const stale of [old, ahead]) {
      const { numDeletedRows } = await db.deleteFrom('declines').where('id', 'in', stale).executeTakeFirst();
      removed += Number(numDeletedRows);
    }
    return removed;
  }

  /** The time in `offset` milliseconds, by the clock that dates the rows. */
  private now(offset: number): RawBuilder<number> {
    return this.store.kind === 'postgres'
      ? sql<number>`${sql.raw(POSTGRES_NOW)} + ${sql.lit(offset)}`
      : sql<number>`${this.store.clock.now() + offset}`;
  }
}
