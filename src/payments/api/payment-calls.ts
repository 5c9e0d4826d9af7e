import { applyDecorators, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { EdgeRoute } from '../../http/request/edge-route.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { OpenStatus, PaymentAnswerInterceptor } from './payment-answer.interceptor.js';
import { PaymentRateGuard } from './payment-rate.guard.js';
import { PaymentDto } from '../views/payment.dto.js';

/** An idempotent call whose handler returns an `Outcome`, and which is answered with the payment. */
const AnswersPayment = (): MethodDecorator =>
  applyDecorators(Idempotent(), UseInterceptors(PaymentAnswerInterceptor));

/** Marks a browser's call that starts a payment: limited per address, answered 201, or 202 while the outcome is open. */
export const StartsPayment = (): MethodDecorator =>
  applyDecorators(
    UseGuards(PaymentRateGuard),
    EdgeRoute({ load: 'start' }),
    AnswersPayment(),
    OpenStatus(202),
    ApiCreatedResponse({ type: PaymentDto, description: 'The gateway has answered.' }),
    ApiAcceptedResponse({ type: PaymentDto, description: 'The outcome is not known yet: wait for it.' }),
    ApiOkResponse({ type: PaymentDto, description: 'A replay: the payment in its current state.' }),
  );

/** Marks a call that asks the gateway to do something with a payment: answered 200, or 202 while that is open. */
export const OperatesPayment = (): MethodDecorator =>
  applyDecorators(
    EdgeRoute({ load: 'step' }),
    AnswersPayment(),
    OpenStatus(202),
    ApiOkResponse({ type: PaymentDto }),
    ApiAcceptedResponse({ type: PaymentDto }),
  );

/** Marks a call that decides about a payment: answered 200. */
export const DecidesPayment = (): MethodDecorator =>
  applyDecorators(AnswersPayment(), ApiOkResponse({ type: PaymentDto }));
