import {
  applyDecorators,
  UseGuards,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { EdgeRoute } from '../../http/route.js';
import { Idempotent } from '../../idempotency/idempotent.js';
import { PaymentDto } from '../views/payment.dto.js';
import { clientAddress } from '../../http/address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/rate-limit.js';
import type { RequestWithCaller } from '../../auth/caller.js';

/** Limits how many calls one payer's address makes in a minute that start, confirm or cancel a payment. A merchant key is not counted. */
@Injectable()
export class PaymentRateGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    if (request.caller?.kind === 'merchant') return true;
    const { allowed, retryAfterSeconds } = this.limit.check(clientAddress(request));
    if (allowed) return true;
    throw new Problem('rate-limited', 'Too many calls from this address. Try again later.', {
      retryAfterSeconds,
    });
  }
}

/** Marks a browser's call that starts a payment: limited per address, answered 201, or 202 while the outcome is open (`PaymentAnswers.sent`). */
export const StartsPayment = (): MethodDecorator =>
  applyDecorators(
    UseGuards(PaymentRateGuard),
    EdgeRoute({ load: 'start' }),
    Idempotent(),
    ApiCreatedResponse({ type: PaymentDto, description: 'The gateway has answered.' }),
    ApiAcceptedResponse({ type: PaymentDto, description: 'The outcome is not known yet: wait for it.' }),
    ApiOkResponse({ type: PaymentDto, description: 'A replay: the payment in its current state.' }),
  );

/** Marks a call that asks the gateway to do something with a payment: answered 200, or 202 while that is open (`PaymentAnswers.sent`). */
export const OperatesPayment = (): MethodDecorator =>
  applyDecorators(
    EdgeRoute({ load: 'step' }),
    Idempotent(),
    ApiOkResponse({ type: PaymentDto }),
    ApiAcceptedResponse({ type: PaymentDto }),
  );

/** Marks a call that decides about a payment: answered 200 (`PaymentAnswers.decided`). */
export const DecidesPayment = (): MethodDecorator =>
  applyDecorators(Idempotent(), ApiOkResponse({ type: PaymentDto }));
