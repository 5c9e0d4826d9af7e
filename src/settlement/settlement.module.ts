import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Adopt } from './api/adopt.js';
import { Differences } from './api/differences.js';
import { SettlementsController } from './api/settlements.controller.js';
import { SettlementsService } from './api/settlements.service.js';
import { UploadKeys } from './api/upload-keys.js';
import { CompareFiles } from './compare/compare-files.js';
import { ComparisonSlot } from './compare/comparison-slot.js';
import { Adoption } from './follow/adoption.js';
import { FollowUp } from './follow/follow-up.js';
import { FollowUpWorker } from './follow/follow-up.worker.js';
import { KnownPayments } from './store/known-payments.js';
import { ReturnsRepository } from './store/returns.repository.js';
import { SettlementsRepository } from './store/settlements.repository.js';

@Module({
  imports: [SessionsModule, PaymentsModule],
  controllers: [SettlementsController],
  providers: [
    Adopt,
    Adoption,
    CompareFiles,
    ComparisonSlot,
    Differences,
    FollowUp,
    FollowUpWorker,
    KnownPayments,
    SettlementsRepository,
    ReturnsRepository,
    SettlementsService,
    UploadKeys,
  ],
})
export class SettlementModule {}
