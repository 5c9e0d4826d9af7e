import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../../http/request/client-address.js';
import { Problem } from '../../http/problems/problem.js';
import { RateLimit } from '../../http/limits/rate-limit.js';

/** Limits how many payments one address starts or confirms in a minute. */
@Injectable()
export class PaymentRateGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { allowed, retryAfterSeconds } = await this.limit.check(clientAddress(request));
    if (allowed) return true;
    throw new Problem('rate-limited', 'Too many payments from this address. Try again later.', {
      retryAfterSeconds,
    });
  }
}
