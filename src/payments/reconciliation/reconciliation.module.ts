import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { DueChecks } from './due-checks.js';
import { DuplicateVoider } from './duplicate-voider.js';
import { OverdueAttentionWorker } from './overdue-attention.worker.js';
import { RefundFollower, StatusCheckWorker } from './status-check.worker.js';
import { SessionExpiryWorker } from './session-expiry.worker.js';

@Module({
  imports: [SessionsModule, PaymentsModule],
  providers: [
    DueChecks,
    DuplicateVoider,
    OverdueAttentionWorker,
    RefundFollower,
    SessionExpiryWorker,
    StatusCheckWorker,
  ],
})
export class ReconciliationModule {}
