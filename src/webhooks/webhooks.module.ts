import { Module } from '@nestjs/common';
import { Store } from '../store/store.js';
import { Deliverer } from './deliverer.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';

@Module({
  controllers: [EventsController],
  providers: [
    { provide: EventsRepository, useFactory: (store: Store) => new EventsRepository(store), inject: [Store] },
    Deliverer,
  ],
})
export class WebhooksModule {}
