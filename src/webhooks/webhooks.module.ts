import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Store } from '../store/store.js';
import { logFailure, logKind } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Deliverer } from './deliverer.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { WebhookSender } from './sender.js';

const CONNECTIONS = 32;

@Module({
  controllers: [EventsController],
  providers: [
    { provide: EventsRepository, useFactory: (store: Store) => new EventsRepository(store), inject: [Store] },
    { provide: Deliverer, useFactory: delivererOf, inject: [CONFIG, Store, EventsRepository, LOGGER] },
  ],
})
export class WebhooksModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly deliverer: Deliverer) {}

  onApplicationBootstrap(): void {
    this.deliverer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.deliverer.stop();
  }
}

function delivererOf(
  { merchant, gateway }: Config,
  store: Store,
  events: EventsRepository,
  logger: Logger,
): Deliverer {
  const { webhookUrl, webhookSecrets } = merchant;
  const sender =
    webhookUrl === undefined
      ? undefined
      : new WebhookSender({
          url: webhookUrl,
          secrets: webhookSecrets.unwrap(),
          connections: CONNECTIONS,
          ...(gateway.egressProxy ? { proxyUrl: gateway.egressProxy.unwrap() } : {}),
        });
  return new Deliverer(store, events, {
    ...(sender ? { sender } : {}),
    notAccepted: ({ result, redirect }) =>
      logKind(logger, {
        event: 'webhook.failed',
        outcome: result,
        ...(redirect ? { origin: redirect } : {}),
      }),
    failed: (error) => logFailure(logger, { event: 'webhook.error' }, error),
    monotonic: () => performance.now(),
  });
}
