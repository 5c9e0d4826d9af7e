import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Approvals } from './approvals.js';
import { ApprovalsRepository } from './approvals.repository.js';

const EVERY_MS = 60_000;
const AT_ONCE = 100;

/** Does what was approved and was not finished, because the process died meanwhile. */
@Injectable()
export class ApprovalsWorker extends PeriodicTask {
  constructor(
    store: Store,
    private readonly repository: ApprovalsRepository,
    private readonly approvals: Approvals,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ event: 'approvals.failed', store, logger });
  }

  protected async run(): Promise<number> {
    for (const approval of await this.repository.undone(AT_ONCE)) {
      if (this.stopped) break;
      await this.approvals.finish(approval);
    }
    return EVERY_MS;
  }
}
