import { Module } from '@nestjs/common';
import { MerchantWebhooksModule } from '../merchant-webhooks/merchant-webhooks.module.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [MerchantWebhooksModule],
  controllers: [EventsController],
  providers: [EventsService],
})
export class EventsModule {}
