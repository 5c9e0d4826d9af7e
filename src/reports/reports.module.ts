import { Module } from '@nestjs/common';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';
import { PaymentsCsv } from './payments-csv.js';
import { ReportsController } from './reports.controller.js';
import { TotalsRepository } from './totals.repository.js';

/** What the payments come to. */
@Module({
  controllers: [ReportsController],
  providers: [OverviewRepository, OverviewService, PaymentsCsv, TotalsRepository],
})
export class ReportsModule {}
