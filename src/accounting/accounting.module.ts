import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { Gateway } from '../gateway/gateway.js';
import { OrderWriter } from '../payments/order-writer.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { Store } from '../store/store.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Logger } from '../telemetry/logger.js';
import { LOGGER } from '../telemetry/telemetry.module.js';
import { Books } from './differences/books.js';
import { DifferencesController } from './differences/differences.controller.js';
import { DifferencesRepository } from './differences/differences.repository.js';
import { Judge } from './differences/judge.js';
import { MovementsController } from './movements/movements.controller.js';
import { MovementsRepository } from './movements/movements.repository.js';
import { ReportsController } from './reports/reports.controller.js';
import { SettlementsController } from './settlement/settlements.controller.js';
import { SettlementsRepository } from './settlement/settlements.repository.js';
import { Uploads } from './settlement/uploads.js';

@Module({
  imports: [PaymentsModule],
  controllers: [SettlementsController, DifferencesController, MovementsController, ReportsController],
  providers: [
    ...[SettlementsRepository, DifferencesRepository, MovementsRepository, Judge],
    {
      provide: Books,
      useFactory: booksOf,
      inject: [Store, Judge, DifferencesRepository, OrderWriter, CONFIG, LOGGER],
    },
    { provide: Uploads, useFactory: uploadsOf, inject: [Store, SettlementsRepository, Gateway, Books] },
  ],
})
export class AccountingModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly books: Books) {}

  onApplicationBootstrap(): void {
    this.books.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.books.stop();
  }
}

function booksOf(
  store: Store,
  judge: Judge,
  differences: DifferencesRepository,
  orders: OrderWriter,
  { settlementExpectedDays }: Config,
  logger: Logger,
): Books {
  return new Books(store, judge, differences, {
    expectedDays: settlementExpectedDays,
    ask: (reference, payment) => orders.take(reference, { by: 'notification', payment }),
    failed: (error) => logFailure(logger, { event: 'books.error' }, error),
  });
}

function uploadsOf(
  store: Store,
  settlements: SettlementsRepository,
  gateway: Gateway,
  books: Books,
): Uploads {
  return new Uploads(store, settlements, gateway.profile, () => books.wake());
}
