import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/config.js';
import type { DifferenceRecord } from '../../store/schema.js';
import { NamedLease } from '../../store/named-lease.js';
import { Store } from '../../store/store.js';
import { PeriodicTask } from '../../background/periodic-task.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import type { DifferenceStep } from '../difference.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { Adoption } from './adoption.js';
import { FollowUp } from './follow-up.js';

const LEASE = 'settlement-follow-up';
/** Whoever takes it over does at worst again what was done: that changes nothing. */
const LEASE_MS = 10_000;
const TRY_AGAIN_AFTER_MS = 30_000;
const EVERY_MS = 1_000;
/** How many questions are handed over in a second where the rate has no limit. */
const MOST_QUESTIONS = 100;
const BATCH = 50;
/** How many rows are taken over at the same time. The gateway's rate holds for all of them together. */
const ADOPTED_AT_ONCE = 32;
const ADOPTED_BATCH = 64;

/**
 * Does what comparisons have left to do, one process for all: has the gateway asked about what reports claim, no faster than it is
 * asked at all, looks when its time is over, and takes over what a person wants taken over.
 */
@Injectable()
export class FollowUpWorker extends PeriodicTask {
  private readonly lease: NamedLease;
  private readonly questions: number;
  private askedAt = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly repository: DifferencesRepository,
    private readonly followUp: FollowUp,
    private readonly adoption: Adoption,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'settlement.follow_up_failed', store, logger });
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
    this.questions = config.gateway.statusQueriesPerSecond || MOST_QUESTIONS;
  }

  /** There is something to do. */
  override wake(milliseconds = 0): void {
    super.wake(milliseconds);
  }

  /** Does one batch of each kind. */
  protected async run(): Promise<number> {
    if (!(await this.hasWork()) || (await this.lease.take()) === undefined) return EVERY_MS;
    await this.ask();
    const judged = await this.each('asked', BATCH, 1, (difference) => this.followUp.judge(difference));
    await this.each('to_approve', BATCH, 1, (difference) => this.followUp.judge(difference));
    const adopted = await this.each('to_adopt', ADOPTED_BATCH, ADOPTED_AT_ONCE, (difference) =>
      this.adoption.adopt(difference),
    );
    return judged === BATCH || adopted === ADOPTED_BATCH ? 0 : EVERY_MS;
  }

  private async hasWork(): Promise<boolean> {
    for (const step of ['to_ask', 'asked', 'to_approve', 'to_adopt'] as const) {
      if ((await this.repository.due(step, this.store.clock.now(), 1)).length > 0) return true;
    }
    return false;
  }

  /** So many in a second as are asked in one: the gateway's time to confirm begins when a question is handed over. */
  private async ask(): Promise<void> {
    if (performance.now() - this.askedAt < EVERY_MS) return;
    this.askedAt = performance.now();
    await this.each('to_ask', this.questions, 1, (difference) => this.followUp.ask(difference));
  }

  /** Returns how many there were. A failure with one does not keep the others from their turn. */
  private async each(
    step: DifferenceStep,
    limit: number,
    atOnce: number,
    work: (difference: DifferenceRecord) => Promise<void>,
  ): Promise<number> {
    const due = await this.repository.due(step, this.store.clock.now(), limit);
    const left = [...due];
    const next = async (): Promise<void> => {
      for (let one = left.shift(); one && !this.stopped; one = left.shift()) {
        const { id: differenceId, step: before } = one;
        await work(one).catch(async (error: unknown) => {
          logFailure(this.logger, { event: 'settlement.follow_up_failed', object: differenceId }, error);
          const dueAt = this.store.clock.now() + TRY_AGAIN_AFTER_MS;
          await this.repository.move(one, { step: before as DifferenceStep | null, dueAt });
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    return due.length;
  }
}
