import {
  Module,
  type BeforeApplicationShutdown,
  type FactoryProvider,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import { addressGroup } from '../http/address.js';
import { RateLimit } from '../http/rate-limit.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { PaymentRateGuard } from './api/payment-calls.js';
import { PaymentsController } from './api/payments.controller.js';
import { ReturnController, returnUrlOf } from './api/return.controller.js';
import { Asker } from './asker.js';
import { CardTesting } from './card-testing.js';
import { Checker } from './checker.js';
import type { Rules } from './core/input.js';
import { Engine } from './engine.js';
import { GatewayAsks } from './gateway-asks.js';
import { OrderWriter } from './order-writer.js';
import { Parts } from './parts.js';
import { PaymentTelemetry } from './payment-telemetry.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { Prober } from './prober.js';
import { Waiters } from './waiters.js';

const part = <T>(type: Type<T>, of: (parts: Parts) => T): FactoryProvider<T> => ({
  provide: type,
  useFactory: of,
  inject: [Parts],
});

@Module({
  controllers: [PaymentsController, ReturnController],
  providers: [
    PaymentRateGuard,
    PaymentsService,
    PaymentTelemetry,
    PaymentsRepository,
    Waiters,
    CardTesting,
    {
      provide: RateLimit,
      useFactory: ({ http }: Config) => new RateLimit(http.rateLimitPerMinute),
      inject: [CONFIG],
    },
    { provide: OrderWriter, useFactory: writerOf, inject: [Store, PaymentsRepository, Gateway, CONFIG] },
    {
      provide: Parts,
      useFactory: partsOf,
      inject: [OrderWriter, Gateway, CardTesting, CONFIG, LOGGER],
    },
    part(Asker, ({ asker }) => asker),
    part(Prober, ({ prober }) => prober),
    part(Engine, ({ engine }) => engine),
    part(Checker, ({ checker }) => checker),
  ],
  exports: [
    RateLimit,
    PaymentRateGuard,
    PaymentsService,
    PaymentsRepository,
    OrderWriter,
    Engine,
    Prober,
    CardTesting,
  ],
})
export class PaymentsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly checker: Checker) {}

  onApplicationBootstrap(): void {
    this.checker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.checker.stop();
  }
}

function writerOf(store: Store, stored: PaymentsRepository, gateway: Gateway, config: Config): OrderWriter {
  const { payments } = config;
  const rules: Omit<Rules, 'restoredAt'> = {
    notFoundGraceMs: config.gateway.notFoundGraceSeconds * 1_000,
    duplicatePolicy: payments.duplicatePolicy,
    maxDeclines: payments.maxDeclinesPerSession,
    maxPayments: payments.maxPaymentsPerSession,
    has: {
      otp: gateway.has('validateOtp'),
      pin: gateway.has('validatePin'),
      complete: gateway.has('complete'),
      void: gateway.has('void'),
      refund: gateway.has('refund'),
      refundStatus: gateway.has('refundStatus'),
    },
    gatewayReference: (reference, n) => gateway.clientRef(reference, n),
  };
  const isLate = (at: number, recordedAt: number) => recordedAt >= config.booksTimeZone.endOfMonth(at);
  return new OrderWriter(
    store,
    () => ({ ...rules, restoredAt: store.restoredAt }),
    { livemode: config.livemode, isLate },
    (transactionRef, reference) => stored.isTaken(transactionRef, reference),
  );
}

function partsOf(
  orders: OrderWriter,
  gateway: Gateway,
  cardTesting: CardTesting,
  config: Config,
  logger: Logger,
): Parts {
  return new Parts(orders, new GatewayAsks(gateway, (paymentId) => returnUrlOf(paymentId, config)), {
    gatewayTimeoutMs: config.gateway.timeoutMs,
    queriesPerSecond: config.gateway.statusQueriesPerSecond,
    declines: (payment, fact, { payerIp }) =>
      cardTesting.declinesOf(payment, fact, payerIp && addressGroup(payerIp), orders.store.now()),
    failed: (error) => logFailure(logger, { event: 'check.failed' }, error),
  });
}
