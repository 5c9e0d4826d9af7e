import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { DuplicateVoider } from './duplicate-voider.js';
import { ReconciliationWorker } from './status-check.worker.js';

@Module({
  imports: [SessionsModule, PaymentsModule],
  providers: [DuplicateVoider, ReconciliationWorker],
})
export class ReconciliationModule {}
