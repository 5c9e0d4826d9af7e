import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
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
  providers: [SettlementsRepository, DifferencesRepository, MovementsRepository, Judge, Books, Uploads],
})
export class AccountingModule {}
