import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { DuplicateVoider } from './duplicate-voider.js';
import { ReconciliationWorker } from './reconciliation.worker.js';

@Module({
  imports: [SessionsModule, PaymentsModule],
  providers: [DuplicateVoider, ReconciliationWorker],
})
export class ReconciliationModule {}
