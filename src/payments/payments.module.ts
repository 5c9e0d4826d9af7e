import { Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { RateLimit } from '../http/limits/rate-limit.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { GatewayFacts } from './state/gateway-facts.js';
import { PreparedCall } from './operations/prepared-call.js';
import { AnswerNotes } from './state/answer-notes.js';
import { Applier } from './apply/applier.js';
import { CardTesting } from './operations/card-testing.js';
import { DeclinesRepository } from './operations/declines.repository.js';
import { DurableWriter } from './operations/durable-writer.js';
import { Inquiry } from './inquiry/inquiry.js';
import { PayerQuestions } from './inquiry/payer-questions.js';
import { NotifiedPayments } from './inquiry/notified-payments.js';
import { LeaseKeeper } from './lease/lease-keeper.js';
import { LeaseWaiter } from './lease/lease-waiter.js';
import { CancelPayment } from './operations/cancel.js';
import { CompletePayment } from './operations/complete.js';
import { OperationRunner } from './operations/operation-runner.js';
import { RefundPayment } from './operations/refund.js';
import { RefundInquiry } from './inquiry/refund-inquiry.js';
import { RefundsRepository } from './state/refunds.repository.js';
import { RefundsController } from './api/refunds.controller.js';
import { ResolvePayment } from './operations/resolve.js';
import { SubmitCode } from './operations/submit-code.js';
import { FreshAnswers } from './operations/fresh-answers.js';
import { VoidPayment } from './operations/void.js';
import { PaymentAnswers } from './api/payment-answers.js';
import { PaymentReturnController } from './api/payment-return.controller.js';
import { StartPayment } from './operations/start-payment.js';
import { PaymentTelemetry } from './operations/payment-telemetry.js';
import { PaymentWaiters } from './api/payment-waiters.js';
import { PaymentsController } from './api/payments.controller.js';
import { PaymentsRepository } from './state/payments.repository.js';
import { PaymentsService } from './api/payments.service.js';
import { PlainPayments } from './api/plain-payments.js';
import { QuestionSchedule } from './schedule/question-schedule.js';
import { UnsentIntents } from './operations/unsent-intents.js';

@Module({
  imports: [SessionsModule],
  controllers: [PaymentsController, RefundsController, PaymentReturnController],
  providers: [
    AnswerNotes,
    Applier,
    CardTesting,
    DeclinesRepository,
    DurableWriter,
    GatewayFacts,
    Inquiry,
    LeaseKeeper,
    LeaseWaiter,
    CancelPayment,
    CompletePayment,
    OperationRunner,
    PreparedCall,
    RefundInquiry,
    RefundPayment,
    RefundsRepository,
    ResolvePayment,
    StartPayment,
    SubmitCode,
    FreshAnswers,
    VoidPayment,
    PayerQuestions,
    PaymentAnswers,
    PaymentTelemetry,
    PaymentWaiters,
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
    CardTesting,
    DeclinesRepository,
    Inquiry,
    RefundInquiry,
    VoidPayment,
    StartPayment,
    SubmitCode,
    PaymentAnswers,
    PaymentWaiters,
    PaymentsRepository,
    PaymentsService,
    PlainPayments,
    NotifiedPayments,
    QuestionSchedule,
    RateLimit,
  ],
})
export class PaymentsModule {}
