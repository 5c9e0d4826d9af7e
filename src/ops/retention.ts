import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DAY_MS } from '../calendar/time-zone.js';
import { erasePayers } from '../checkout/erasure.js';
import { CONFIG, type Config } from '../config/config.js';
import { OrderWriter } from '../payments/order-writer.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';

const EVERY_MS = 60_000;
const BATCH = 200;
/** Declines count for ten minutes. They stay an hour, for whoever looks. */
const DECLINES_MS = 3_600_000;

/** Erases payers, and removes events and declines, once their time is over: in small batches. Finishes what a redaction began. */
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
    const { payerRetentionDays: days } = payments;
    await erasePayers(this.orders, days > 0 ? now - days * DAY_MS : 0);
  }
}
