import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../background/periodic-task.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { NamedLease } from '../../store/named-lease.js';
import { openNames } from '../../store/payment-name.js';
import type { ReferenceRecord } from '../../store/schema.js';
import { Store } from '../../store/store.js';
import { logFailure } from '../../telemetry/failure-log.js';
import type { Logger } from '../../telemetry/logger.js';
import { LOGGER } from '../../telemetry/telemetry.module.js';
import { Barrier } from '../named/barrier.js';
import { HeldReferences } from '../named/held-references.js';
import { within } from '../named/ask-gateway.js';

const LEASE = 'held-references';
const LEASE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
/** While there are more of them. */
const GO_ON_AFTER_MS = 1_000;
/** So few at a time: the gateway has not known them before. */
const AT_ONCE = 5;
/** For so long a look waits for the answers. Those that come later are heard all the same. */
const WAITS_MS = 5_000;

/**
 * Asks about named payments though nobody starts another one of their order: a paid order starts none, and payers may not come back. What
 * the gateway knows is taken over. One process for all.
 */
@Injectable()
export class HeldReferencesWorker extends PeriodicTask {
  private readonly lease: NamedLease;

  constructor(
    store: Store,
    private readonly held: HeldReferences,
    private readonly sessions: SessionsRepository,
    private readonly barrier: Barrier,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ event: 'payments.held_references_failed', store, logger, firstAfterMs: LOOK_EVERY_MS });
    this.lease = new NamedLease(store, LEASE, LEASE_MS);
  }

  protected async run(): Promise<number> {
    const due = await this.held.due(AT_ONCE);
    if (due.length === 0 || (await this.lease.take()) === undefined) return LOOK_EVERY_MS;
    await within(WAITS_MS, Promise.allSettled(due.map((reference) => this.ask(reference))));
    return due.length < AT_ONCE ? LOOK_EVERY_MS : GO_ON_AFTER_MS;
  }

  private async ask({ reference, sessionId, names }: ReferenceRecord): Promise<void> {
    try {
      const session = sessionId === null ? undefined : await this.sessions.find(sessionId);
      // One without a session has no money that a question could name: it is asked about when a payment is to start.
      if (session && openNames(names).length > 0) await this.barrier.ask(session, 'unwaited');
      else await this.barrier.hold(reference);
    } catch (error) {
      logFailure(this.logger, { event: 'payments.held_references_failed' }, error);
    }
  }
}
