import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { clientAddress } from '../../http/request/client-address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/limits/rate-limit.js';
import type { RequestWithCaller } from '../../sessions/caller.js';

/** Limits how many calls one payer's address makes in a minute that start, confirm or cancel a payment. A merchant key is not counted. */
@Injectable()
export class PaymentRateGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    if (request.caller?.kind === 'merchant') return true;
    const { allowed, retryAfterSeconds } = await this.limit.check(clientAddress(request));
    if (allowed) return true;
    throw new Problem('rate-limited', 'Too many calls from this address. Try again later.', {
      retryAfterSeconds,
    });
  }
}
