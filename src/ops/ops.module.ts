import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { Health } from './health.js';
import { MetricsPage } from './metrics-page.js';
import { OpsController } from './ops.controller.js';
import { Retention } from './retention.js';

@Module({
  imports: [PaymentsModule],
  controllers: [OpsController],
  providers: [Health, MetricsPage, Retention],
})
export class OpsModule {}
