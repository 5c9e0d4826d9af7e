import { Module } from '@nestjs/common';
import { PaymentsCsv } from './payments-csv.js';
import { ReportsController } from './reports.controller.js';
import { TotalsRepository } from './totals.repository.js';

/** What the payments come to. */
@Module({ controllers: [ReportsController], providers: [PaymentsCsv, TotalsRepository] })
export class ReportsModule {}
