import type {
  ApprovedDto,
  BillingDto,
  CompleteDto,
  CreateSessionDto,
  EventDto,
  FailureDto,
  MerchantSessionDto,
  PayerDto,
  paths,
  PaymentDto,
  PaymentListDto,
  ProblemFault,
  RefundDto,
  RefundListDto,
  RefundRequestDto,
  SessionEventDto,
  SessionListDto,
  TimelineEntryDto,
} from './generated/api.js';
import type { NextAction } from './generated/api.js';

/** The types of the service's answers, from its API description, by the names that a shop uses. */
export type { NextAction, PaymentEvent, Problem, SessionEvent, WebhookEvent } from './generated/api.js';
export type NewSession = CreateSessionDto;
export type Session = MerchantSessionDto;
export type SessionList = SessionListDto;
/** The session in an event: without the payer and the token. */
export type EventSession = SessionEventDto;
export type Payer = PayerDto;
export type Billing = BillingDto;
export type Payment = PaymentDto;
export type PaymentPage = PaymentListDto;
export type Failure = FailureDto;
export type RedirectAction = Extract<NextAction, { type: 'redirect' }>;
export type TransferAction = Extract<NextAction, { type: 'transfer' }>;
export type UssdAction = Extract<NextAction, { type: 'ussd' }>;
export type TimelineEntry = TimelineEntryDto;
export type Completion = CompleteDto;
export type NewRefund = RefundRequestDto;
export type Refund = RefundDto;
export type RefundList = RefundListDto;
/** What a refund answers that waits for a second key. */
export type AskedApproval = ApprovedDto;
export type EventRecord = EventDto;
export type Fault = ProblemFault;
export type PaymentQuery = QueryOf<'/v1/payments'>;
export type WaitQuery = QueryOf<'/v1/payments/{id}'>;
export type EventQuery = QueryOf<'/v1/events'>;

type QueryOf<P extends '/v1/payments' | '/v1/payments/{id}' | '/v1/events'> = NonNullable<
  paths[P]['get']['parameters']['query']
>;
