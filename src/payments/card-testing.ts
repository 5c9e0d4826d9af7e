import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Fact } from '../gateway/fact.js';
import { Problem } from '../http/problems/problem.js';
import { newId } from '../store/ids.js';
import { Store, type DeclineRow } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import type { Payment } from './core/payment.js';

/** How long a decline counts. */
const WINDOW_MS = 10 * 60_000;
/** How often declines of other replicas are read. */
const LOOK_MS = 1_500;
/** Declines that are read again, for commits that were still under way. */
const OVERLAP_MS = 10_000;

/**
 * Slows down card testing: too many different cards declined from one address, or too many declines of one card, across sessions and
 * replicas. Only declines count: never outages, firewalls or unknown outcomes.
 */
@Injectable()
export class CardTesting implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly declines = new Map<string, DeclineRow>();
  private timer: NodeJS.Timeout | undefined;
  private readUntil: number;
  /** 0: off. */
  private readonly limit: number;

  constructor(
    private readonly store: Store,
    @Inject(CONFIG) { payments }: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limit = payments.cardTestingLimit;
    this.readUntil = store.now() - WINDOW_MS;
    store.onCommitted(({ declines }) => this.add(declines ?? []));
  }

  onApplicationBootstrap(): void {
    if (this.limit > 0) this.timer = setTimeout(() => void this.look(), LOOK_MS);
  }

  beforeApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** Throws `rate-limited` where this address or card was declined too often. */
  refuse(address: string, card: string): void {
    if (this.limit === 0) return;
    const since = this.store.now() - WINDOW_MS;
    const cards = new Set<string>();
    let ofCard = 0;
    for (const decline of this.declines.values()) {
      if (decline.at < since) continue;
      if (decline.address === address) cards.add(decline.card);
      if (decline.card === card) ofCard += 1;
    }
    if (cards.size <= this.limit && ofCard <= this.limit) return;
    throw new Problem('rate-limited', 'Too many declined cards. Try again later.', {
      retryAfterSeconds: WINDOW_MS / 1_000,
    });
  }

  /** What an answer counts as, for the commit that writes it. */
  declinesOf(payment: Payment, fact: Fact, address: string | undefined, at: number): DeclineRow[] {
    const tried = fact.is === 'failed' || (fact.is === 'refused' && fact.cardTried);
    if (this.limit === 0 || !payment.card || address === undefined || !tried) return [];
    return [{ id: newId('dcl', at), address, card: payment.card.hash, at }];
  }

  private async look(): Promise<void> {
    try {
      const from = this.readUntil - OVERLAP_MS;
      const now = this.store.now();
      this.add(
        await this.store.rows<DeclineRow>({
          text: 'select id, address, card, at from declines where at > ?',
          values: [from],
          lookup: true,
        }),
      );
      this.readUntil = now;
      for (const [id, { at }] of this.declines) if (at < now - WINDOW_MS) this.declines.delete(id);
    } catch (error) {
      logFailure(this.logger, { event: 'card_testing.failed' }, error);
    }
    this.onApplicationBootstrap();
  }

  private add(declines: readonly DeclineRow[]): void {
    for (const decline of declines) this.declines.set(decline.id, decline);
  }
}
