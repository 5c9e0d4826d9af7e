import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Injectable,
  Post,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiHeader, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Audited } from '../../audit/audited.js';
import { Access } from '../../auth/access.guard.js';
import { actorOf, callerOf, type Caller, type RequestWithCaller } from '../../auth/caller.js';
import { keyedCall, type KeyedCall } from '../../auth/keyed-call.js';
import { clientAddress } from '../../http/address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/rate-limit.js';
import { PaymentDto } from '../core/payment.dto.js';

/**
 * Limits how many calls one payer's address makes in a minute that start, confirm or cancel a payment or ask the gateway. Merchant keys are
 * not counted.
 */
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

/** A call about the object that its address names. */
export interface ObjectCall {
  id: string;
  caller: Caller;
  actor: string;
  /** A function, so that a body that is not valid is refused before a key that is missing. */
  keyed: () => KeyedCall;
}

export const Calling = createParamDecorator((_: unknown, context: ExecutionContext): ObjectCall => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  const caller = callerOf(request);
  const { id = '' } = request.params as { id?: string };
  return { id, caller, actor: actorOf(caller), keyed: () => keyedCall(request) };
});

/** Marks what a merchant does with an object. Its path ends with the word that the audit has for it. `type`: what answers. */
export const Acts = (path: `${string}:id/${string}`, type: Type): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    ApiParam({ name: 'id', type: String }),
    Access('full'),
    Audited(path.slice(path.lastIndexOf('/') + 1)),
    ApiOkResponse({ type }),
  );
