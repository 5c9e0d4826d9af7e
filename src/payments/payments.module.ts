import { Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { RateLimit } from '../http/rate-limit.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Applier } from './applier.js';
import { CardTesting } from './card-testing.js';
import { DeclinesRepository } from './declines.repository.js';
import { DurableWriter } from './durable-writer.js';
import { Inquiry } from './inquiry.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LeaseWaiter } from './lease-waiter.js';
import { PaymentDecisions } from './payment-decisions.js';
import { PaymentOperations } from './payment-operations.js';
import { PaymentReturnController } from './payment-return.controller.js';
import { PaymentStarter } from './payment-starter.js';
import { PaymentTelemetry } from './payment-telemetry.js';
import { PaymentWaiters } from './payment-waiters.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { PlainPayments } from './plain-payments.js';
import { UnsentIntents } from './unsent-intents.js';

@Module({
  imports: [SessionsModule],
  controllers: [PaymentsController, PaymentReturnController],
  providers: [
    Applier,
    CardTesting,
    DeclinesRepository,
    DurableWriter,
    Inquiry,
    LeaseKeeper,
    LeaseWaiter,
    PaymentDecisions,
    PaymentOperations,
    PaymentStarter,
    PaymentTelemetry,
    PaymentWaiters,
    PaymentsRepository,
    PaymentsService,
    PlainPayments,
    UnsentIntents,
    {
      provide: RateLimit,
      inject: [CONFIG],
      useFactory: (config: Config) => new RateLimit(config.http.rateLimitPerMinute),
    },
  ],
  exports: [
    CardTesting,
    DeclinesRepository,
    Inquiry,
    PaymentOperations,
    PaymentStarter,
    PaymentWaiters,
    PaymentsRepository,
    PaymentsService,
    PlainPayments,
    RateLimit,
  ],
})
export class PaymentsModule {}
