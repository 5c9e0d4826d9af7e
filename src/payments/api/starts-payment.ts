import { applyDecorators, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { ApiIdempotent } from '../../openapi/api-idempotent.js';
import { PaymentRateGuard } from './payment-rate.guard.js';
import { PaymentDto } from '../views/payment.dto.js';

/** Marks a browser's call that starts a payment: limited per address, idempotent, answered with the payment. */
export const StartsPayment = (): MethodDecorator =>
  applyDecorators(
    UseGuards(PaymentRateGuard),
    ApiIdempotent(),
    ApiCreatedResponse({ type: PaymentDto, description: 'The gateway has answered.' }),
    ApiAcceptedResponse({ type: PaymentDto, description: 'The outcome is not known yet: wait for it.' }),
    ApiOkResponse({ type: PaymentDto, description: 'A replay: the payment as it now stands.' }),
  );
