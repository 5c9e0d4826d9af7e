import { Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Store } from '../store/store.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Tracing } from '../telemetry/traces.js';
import { DeliveryTelemetry } from './delivery-telemetry.js';
import { DeliveryWorker } from './delivery-worker.js';
import { EventsRepository } from './events.repository.js';
import { OldEvents } from './old-events.js';
import { Sequencer } from './sequencer.js';

/** Orders and delivers events. Starts and stops with the application. */
@Module({
  providers: [
    EventsRepository,
    OldEvents,
    {
      provide: DeliveryTelemetry,
      inject: [LOGGER, Tracing],
      useFactory: (logger: Logger, tracing: Tracing) => new DeliveryTelemetry(logger, tracing),
    },
    {
      provide: Sequencer,
      inject: [Store, DeliveryTelemetry],
      useFactory: (store: Store, telemetry: DeliveryTelemetry) => new Sequencer(store, telemetry),
    },
    {
      provide: DeliveryWorker,
      inject: [Store, EventsRepository, Sequencer, DeliveryTelemetry, CONFIG],
      useFactory: (
        store: Store,
        repository: EventsRepository,
        sequencer: Sequencer,
        telemetry: DeliveryTelemetry,
        config: Config,
      ) => new DeliveryWorker({ store, repository, sequencer, telemetry, config }),
    },
  ],
  exports: [EventsRepository, DeliveryWorker, OldEvents],
})
export class MerchantWebhooksModule {}
