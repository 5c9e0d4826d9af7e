import {
  applyDecorators,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import type { RequestWithCaller } from '../../auth/caller.js';
import { clientAddress } from '../../http/address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/rate-limit.js';
import { PaymentDto } from '../core/payment.dto.js';

/** Limits how many calls one payer's address makes in a minute that start, confirm or cancel a payment. Merchant keys are not counted. */
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

/** Marks a call whose `Idempotency-Key` makes it safe to repeat. */
export const Idempotent = (): MethodDecorator =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: true,
    description:
      'New for each thing that you want done, and the same when you repeat the call: 1 to 255 visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });

/** Marks a call that asks the gateway to do something with a payment. */
export const OperatesPayment = (): MethodDecorator =>
  applyDecorators(
    Idempotent(),
    ApiOkResponse({ type: PaymentDto }),
    ApiAcceptedResponse({
      type: PaymentDto,
      description: 'The outcome is not known yet. The service keeps asking.',
    }),
  );

/** The same of a payer's call, which is limited by address. */
export const LimitsPayers = (): MethodDecorator => UseGuards(PaymentRateGuard);
