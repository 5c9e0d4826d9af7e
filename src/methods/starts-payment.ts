import { applyDecorators } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { Access } from '../auth/access.guard.js';
import { Idempotent, LimitsPayers } from '../payments/api/payment-calls.js';
import { PaymentDto } from '../payments/core/payment.dto.js';

/** Marks a browser's call that starts a payment. */
export const StartsPayment = (): MethodDecorator =>
  applyDecorators(
    Access('client'),
    LimitsPayers(),
    Idempotent(),
    ApiCreatedResponse({ type: PaymentDto, description: 'The gateway has answered.' }),
    ApiAcceptedResponse({ type: PaymentDto, description: 'The outcome is not known yet: wait for it.' }),
    ApiOkResponse({ type: PaymentDto, description: 'A replay: the payment as it now is.' }),
  );
