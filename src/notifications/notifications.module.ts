import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { NotificationsService } from './notifications.service.js';
import { InboxWriter } from './inbox-writer.js';
import { NotificationHandover } from './notification-handover.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';

@Module({
  imports: [PaymentsModule, SessionsModule],
  controllers: [NotificationsController],
  providers: [NotificationsRepository, InboxWriter, NotificationsService, NotificationHandover],
  exports: [NotificationsRepository],
})
export class NotificationsModule {}
