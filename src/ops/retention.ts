import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { eraseEvents, erasedRecords } from '../checkout/erased-records.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { isLive } from '../payments/core/payment.js';
import { redactSession } from '../payments/core/sessions.js';
import { OrderWriter } from '../payments/order-writer.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';

const DAY_MS = 24 * 3_600_000;
const EVERY_MS = 60_000;
const BATCH = 200;
/** Declines count for ten minutes. They stay an hour, for whoever looks. */
const DECLINES_MS = 3_600_000;

/** Erases payers, and removes events and declines, once their time is over: in small batches. */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly orders: OrderWriter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.round().catch((error: unknown) =>
        logFailure(this.logger, { event: 'retention.failed' }, error),
      );
    }, EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async round(): Promise<void> {
    if (!(await this.store.lease('retention', EVERY_MS))) return;
    const now = this.store.now();
    const { eventRetentionDays, payments } = this.config;
    await this.store.run({
      text: 'delete from declines where id in (select id from declines where at < ? order by at limit ?)',
      values: [now - DECLINES_MS, 10 * BATCH],
    });
    if (eventRetentionDays > 0)
      await this.store.run({
        text: `delete from events where seq in
          (select seq from events where at < ? and status in ('delivered', 'given_up') order by seq limit ?)`,
        values: [now - eventRetentionDays * DAY_MS, 10 * BATCH],
      });
    if (payments.payerRetentionDays > 0) await this.erasePayers(now - payments.payerRetentionDays * DAY_MS);
  }

  private async erasePayers(before: number): Promise<void> {
    const due = await this.store.rows<{ reference: string }>({
      text: 'select reference from orders where ended_at < ? order by ended_at limit ?',
      values: [before, BATCH],
    });
    for (const { reference } of due) {
      const stored = await this.store.read(reference);
      const over = stored.order?.sessions.filter(
        ({ id, endedAt, redactedAt }) =>
          redactedAt === null &&
          endedAt !== null &&
          endedAt < before &&
          !stored.payments.some((payment) => payment.sessionId === id && isLive(payment)),
      );
      for (const { id } of over ?? []) {
        // Before the commit, after which nobody would come back to it.
        await eraseEvents(this.store, stored, id);
        const erased = await erasedRecords(this.store, stored, id);
        await this.orders.write(reference, (found, moment) => ({
          decision: redactSession(found, id, null, moment, this.orders.rules()),
          ...erased,
          result: undefined,
        }));
      }
    }
  }
}
