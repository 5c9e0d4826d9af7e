import { Module } from '@nestjs/common';
import { AllRefundsController, ReportsController, MovementsController } from './reports.controller.js';
import { AllRefundsRepository } from './all-refunds.repository.js';
import { MovementList } from './movement-list.js';
import { MovementSummingWorker } from './movement-summing.worker.js';
import { MovementSumsRepository } from './movement-sums.repository.js';
import { MovementsCsv } from './movements-csv.js';
import { MovementsRepository } from './movements.repository.js';
import { OverviewRepository, OverviewService } from './overview.service.js';
import { PaymentsCsv } from './payments-csv.js';
import { SettledSums } from './settled-sums.js';
import { TotalsRepository } from './totals.repository.js';
import { WrittenMovements } from './written-movements.js';

/** What the payments come to. */
@Module({
  controllers: [AllRefundsController, MovementsController, ReportsController],
  providers: [
    AllRefundsRepository,
    MovementList,
    MovementSummingWorker,
    MovementSumsRepository,
    MovementsCsv,
    MovementsRepository,
    OverviewRepository,
    OverviewService,
    PaymentsCsv,
    SettledSums,
    TotalsRepository,
    WrittenMovements,
  ],
})
export class ReportsModule {}
