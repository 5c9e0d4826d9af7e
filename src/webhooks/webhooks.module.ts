import { Module } from '@nestjs/common';
import { Deliverer } from './deliverer.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';

@Module({ controllers: [EventsController], providers: [EventsRepository, Deliverer] })
export class WebhooksModule {}
