import { Module } from '@nestjs/common';
import { Approvals } from '../approvals/approvals.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { RateLimit } from '../http/rate-limit.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { GatewayFacts } from './state/gateway-facts.js';
import { AnswerNotes } from './state/seen-time.js';
import { Applier } from './apply/applier.js';
import { AskApproval } from './apply/ask-approval.js';
import { CardTesting, DeclinesRepository } from './operations/card-testing.js';
import { DurableWriter, UnsentIntents } from './operations/durable-writer.js';
import { Inquiry } from './inquiry/inquiry.js';
import { PayerQuestions } from './inquiry/payer-questions.js';
import { NotifiedPayments } from './inquiry/notified-payments.js';
import { LeaseKeeper } from './lease/lease-keeper.js';
import { LeaseWaiter } from './lease/lease-waiter.js';
import { CommandContext } from './operations/command.js';
import { Engine } from './operations/engine.js';
import { CancelPayment } from './operations/cancel.js';
import { RefundInquiry } from './inquiry/refund-inquiry.js';
import { RefundsRepository } from './state/refunds.repository.js';
import { RefundsController } from './api/refunds.controller.js';
import { ResolvePayment } from './operations/resolve.js';
import { FreshAnswers } from './operations/fresh-answers.js';
import { PaymentAnswers } from './api/payment-answers.js';
import { PaymentReturnController } from './api/payment-return.controller.js';
import { PaymentTelemetry } from './operations/payment-telemetry.js';
import { PaymentWaiters } from './api/payment-waiters.js';
import { PaymentsController } from './api/payments.controller.js';
import { PaymentSearch } from './search/payment-search.js';
import { ReferenceIndex } from './search/reference-index.js';
import { SearchIndexWorker } from './search/search-index.worker.js';
import { PaymentSearchController } from './api/search.controller.js';
import { PaymentsRepository } from './state/payments.repository.js';
import { PaymentsService } from './api/payments.service.js';
import { PlainPayments } from './api/plain-payments.js';
import { QuestionSchedule } from './schedule/question-schedule.js';

@Module({
  imports: [SessionsModule],
  controllers: [PaymentSearchController, PaymentsController, RefundsController, PaymentReturnController],
  providers: [
    AnswerNotes,
    Applier,
    Approvals,
    AskApproval,
    CardTesting,
    DeclinesRepository,
    DurableWriter,
    GatewayFacts,
    Inquiry,
    LeaseKeeper,
    LeaseWaiter,
    CancelPayment,
    CommandContext,
    Engine,
    RefundInquiry,
    RefundsRepository,
    ResolvePayment,
    FreshAnswers,
    PayerQuestions,
    PaymentAnswers,
    PaymentTelemetry,
    PaymentWaiters,
    PaymentSearch,
    ReferenceIndex,
    SearchIndexWorker,
    PaymentsRepository,
    PaymentsService,
    PlainPayments,
    NotifiedPayments,
    UnsentIntents,
    {
      provide: QuestionSchedule,
      inject: [CONFIG],
      useFactory: (config: Config) => new QuestionSchedule(config.gateway.statusQueriesPerSecond),
    },
    {
      provide: RateLimit,
      inject: [CONFIG],
      useFactory: (config: Config) => new RateLimit(config.http.rateLimitPerMinute),
    },
  ],
  exports: [
    Applier,
    Approvals,
    Engine,
    CardTesting,
    DeclinesRepository,
    Inquiry,
    RefundInquiry,
    PaymentAnswers,
    PaymentWaiters,
    PaymentsRepository,
    PaymentsService,
    PlainPayments,
    NotifiedPayments,
    QuestionSchedule,
    RateLimit,
    RefundsRepository,
    ResolvePayment,
  ],
})
export class PaymentsModule {}
