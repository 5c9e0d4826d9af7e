import { Module, type DynamicModule, type Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MerchantWebhooksModule } from '../merchant-webhooks/merchant-webhooks.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ExpiredKeys } from '../idempotency/keyed-writer.js';
import { Health } from './health.js';
import { HealthController, KeyedMetricsController, OpenMetricsController } from './ops.controller.js';
import { MetricsPage } from './metrics-page.js';
import { RetentionWorker } from './retention.worker.js';

@Module({})
export class OpsModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: OpsModule,
      imports: [MerchantWebhooksModule, SessionsModule, PaymentsModule],
      controllers: controllersFor(config),
      providers: [ExpiredKeys, Health, MetricsPage, RetentionWorker],
      exports: [Health],
    };
  }
}

function controllersFor({ http, productionRules }: Config): Type[] {
  const isKeyed = productionRules && http.managementPort === undefined;
  return [HealthController, isKeyed ? KeyedMetricsController : OpenMetricsController];
}
