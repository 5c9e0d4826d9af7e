import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MerchantWebhooksModule } from '../merchant-webhooks/merchant-webhooks.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ExpiredKeys } from '../idempotency/expired-keys.js';
import { Health } from './health.js';
import { ManagementServer } from './management-server.js';
import { OpenPaymentsGauge } from './open-payments-gauge.js';
import { OpsController } from './ops.controller.js';
import { RetentionWorker } from './retention.worker.js';

@Module({})
export class OpsModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: OpsModule,
      imports: [MerchantWebhooksModule, SessionsModule, NotificationsModule, PaymentsModule],
      controllers: config.http.managementPort === undefined ? [OpsController] : [],
      providers: [ExpiredKeys, Health, ManagementServer, OpenPaymentsGauge, RetentionWorker],
      exports: [Health],
    };
  }
}
