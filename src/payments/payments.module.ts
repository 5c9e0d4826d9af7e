import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Gateway } from '../gateway/gateway.js';
import { RateLimit } from '../http/rate-limit.js';
import { addressGroup } from '../http/address.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { PaymentRateGuard } from './api/payment-calls.js';
import { PaymentLists } from './api/payment-lists.js';
import { PaymentsController } from './api/payments.controller.js';
import { ReturnController, returnUrlOf } from './api/return.controller.js';
import { Asker } from './asker.js';
import { CardTesting } from './card-testing.js';
import { Checker } from './checker.js';
import type { Rules } from './core/input.js';
import { DuplicateVoider } from './duplicate-voider.js';
import { Engine } from './engine.js';
import { GatewayAsks, type Details } from './gateway-asks.js';
import { OrderWriter } from './order-writer.js';
import { PaymentTelemetry } from './payment-telemetry.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';
import { Prober } from './prober.js';
import { QueryRate } from './query-rate.js';
import { Waiters } from './waiters.js';
import type { Fact } from '../gateway/fact.js';

const monotonic = (): number => performance.now();

@Module({
  controllers: [PaymentsController, ReturnController],
  providers: [
    PaymentLists,
    PaymentRateGuard,
    PaymentsService,
    PaymentTelemetry,
    {
      provide: RateLimit,
      useFactory: ({ http }: Config) => new RateLimit(http.rateLimitPerMinute),
      inject: [CONFIG],
    },
    {
      provide: PaymentsRepository,
      useFactory: (store: Store) => new PaymentsRepository(store),
      inject: [Store],
    },
    { provide: Waiters, useFactory: (store: Store) => new Waiters(store), inject: [Store] },
    { provide: GatewayAsks, useFactory: asksOf, inject: [Gateway, CONFIG] },
    { provide: OrderWriter, useFactory: writerOf, inject: [Store, Gateway, CONFIG] },
    {
      provide: QueryRate,
      useFactory: ({ gateway }: Config) => new QueryRate(gateway.statusQueriesPerSecond, monotonic),
      inject: [CONFIG],
    },
    {
      provide: Asker,
      useFactory: askerOf,
      inject: [OrderWriter, GatewayAsks, PaymentsRepository, QueryRate, Gateway, CONFIG],
    },
    { provide: Prober, useFactory: proberOf, inject: [OrderWriter, Asker, GatewayAsks] },
    { provide: CardTesting, useFactory: cardTestingOf, inject: [Store, CONFIG, LOGGER] },
    {
      provide: Engine,
      useFactory: engineOf,
      inject: [OrderWriter, GatewayAsks, PaymentsRepository, CardTesting, Prober, CONFIG],
    },
    {
      provide: Checker,
      useFactory: checkerOf,
      inject: [OrderWriter, Asker, Engine, QueryRate, CONFIG, LOGGER],
    },
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
  constructor(
    private readonly checker: Checker<Details>,
    private readonly cardTesting: CardTesting,
  ) {}

  onApplicationBootstrap(): void {
    this.checker.start();
    this.cardTesting.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.cardTesting.stop();
    await this.checker.stop();
  }
}

function asksOf(gateway: Gateway, config: Config): GatewayAsks {
  return new GatewayAsks(gateway, (paymentId) => returnUrlOf(paymentId, config));
}

function writerOf(store: Store, gateway: Gateway, config: Config): OrderWriter {
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
  return new OrderWriter(store, () => ({ ...rules, restoredAt: store.restoredAt }), {
    livemode: config.gateway.mode === 'live',
    isLate,
  });
}

/** Only a success can be under a transaction of another order. */
function takenBy(payments: PaymentsRepository) {
  return async (reference: string, fact: Fact): Promise<boolean> =>
    (fact.is === 'paid' || fact.is === 'held') && fact.transactionRef !== undefined
      ? payments.isTaken(fact.transactionRef, reference)
      : false;
}

function askerOf(
  orders: OrderWriter,
  asks: GatewayAsks,
  payments: PaymentsRepository,
  rate: QueryRate,
  gateway: Gateway,
  config: Config,
): Asker<Details> {
  return new Asker(orders, asks, {
    gatewayTimeoutMs: config.gateway.timeoutMs,
    hasRefundStatus: gateway.has('refundStatus'),
    monotonic,
    taken: takenBy(payments),
    pause: (ms) => rate.pause(ms),
  });
}

function proberOf(orders: OrderWriter, asker: Asker<Details>, asks: GatewayAsks): Prober<Details> {
  return new Prober(orders, asker, asks, monotonic);
}

function cardTestingOf(store: Store, { payments }: Config, logger: Logger): CardTesting {
  return new CardTesting(store, payments.cardTestingLimit, (error) =>
    logFailure(logger, { event: 'card_testing.failed' }, error),
  );
}

function engineOf(
  orders: OrderWriter,
  asks: GatewayAsks,
  payments: PaymentsRepository,
  cardTesting: CardTesting,
  prober: Prober<Details>,
  config: Config,
): Engine<Details> {
  return new Engine(orders, asks, {
    gatewayTimeoutMs: config.gateway.timeoutMs,
    monotonic,
    taken: takenBy(payments),
    declines: (payment, fact, { payerIp }) =>
      cardTesting.declinesOf(payment, fact, payerIp && addressGroup(payerIp), orders.store.now()),
    probe: (stored) => prober.probe(stored),
    needsProbe: (stored) => prober.needed(stored),
  });
}

function checkerOf(
  orders: OrderWriter,
  asker: Asker<Details>,
  engine: Engine<Details>,
  rate: QueryRate,
  config: Config,
  logger: Logger,
): Checker<Details> {
  const voider = new DuplicateVoider(orders, asker, engine, {});
  return new Checker(orders, asker, rate, {
    gatewayTimeoutMs: config.gateway.timeoutMs,
    failed: (error) => logFailure(logger, { event: 'check.failed' }, error),
    voidDuplicate: (duplicate) => voider.void(duplicate),
  });
}
