import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Adopt } from './api/adopt.js';
import { DifferenceActs } from './api/difference-acts.js';
import { Differences } from './api/differences.js';
import { DifferencesController } from './api/differences.controller.js';
import { SettlementsController } from './api/settlements.controller.js';
import { SettlementsService } from './api/settlements.service.js';
import { UploadKeys } from './api/upload-keys.js';
import { CompareFiles } from './compare/compare-files.js';
import { CompareOrders } from './compare/compare-orders.js';
import { ComparisonSlot } from './compare/comparison-slot.js';
import { MatchReport } from './compare/match-report.js';
import { Matcher } from './compare/matcher.js';
import { MatchingTurn } from './compare/matching-turn.js';
import { Unsettled } from './compare/unsettled.js';
import { Adoption } from './follow/adoption.js';
import { FollowUp } from './follow/follow-up.js';
import { FollowUpWorker } from './follow/follow-up.worker.js';
import { LedgerWatch } from './follow/ledger-watch.js';
import { ReportedReversals } from './follow/reported-reversals.js';
import { DifferencesRepository } from './store/differences.repository.js';
import { KnownMoneyRepository } from './store/known-money.repository.js';
import { MatchesRepository } from './store/matches.repository.js';
import { SettlementRowsRepository } from './store/settlement-rows.repository.js';
import { SettlementsRepository } from './store/settlements.repository.js';

@Module({
  imports: [SessionsModule, PaymentsModule, ApprovalsModule],
  controllers: [SettlementsController, DifferencesController],
  providers: [
    Adopt,
    Adoption,
    CompareFiles,
    CompareOrders,
    ComparisonSlot,
    DifferenceActs,
    Differences,
    DifferencesRepository,
    FollowUp,
    FollowUpWorker,
    KnownMoneyRepository,
    LedgerWatch,
    Matcher,
    MatchesRepository,
    MatchingTurn,
    MatchReport,
    ReportedReversals,
    SettlementRowsRepository,
    SettlementsRepository,
    SettlementsService,
    Unsettled,
    UploadKeys,
  ],
})
export class SettlementModule {}
