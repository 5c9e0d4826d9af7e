import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { SecurityScheme } from '../http/server/controller-routes.js';
import { Problem } from '../http/problems/problem.js';
import { AuditedCalls } from '../audit/audited.js';
import { Authenticator } from './authenticator.js';
import type { Access, Caller, MerchantCaller, RequestWithCaller } from './caller.js';
import type { PaymentReader } from './payment-reader.js';

const ACCESS = 'tillfront:access';

/** Marks a route that only reads: a read key may call it too, and whoever keeps the books, unless it shows `payers`. */
export const ReadAccess = ({ payers = false } = {}): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS, payers ? ['read'] : ['read', 'books']);

/** Marks a route that changes what is noted about settlements, and moves no money: whoever keeps the books may call it too. */
export const BooksAccess = (): MethodDecorator => SetMetadata(ACCESS, ['books']);

/** Lets the merchant's server in: with a key that is not for everything only where the route says so. */
@Injectable()
export class MerchantGuard implements CanActivate {
  static readonly apiSecurity: readonly SecurityScheme[] = ['merchantKey'];

  constructor(
    private readonly authenticator: Authenticator,
    private readonly reflector: Reflector,
    private readonly audit: AuditedCalls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    return this.admit(await this.authenticator.identify(request), context);
  }

  /** Lets a caller in that was authenticated already. A known one who may not is in the audit. */
  async admit(caller: Caller | PaymentReader, context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const others = this.reflector.getAllAndOverride<readonly Access[] | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    try {
      assertMerchant(caller, others);
    } catch (error) {
      if (caller.kind === 'merchant') await this.audit.refused(context, caller, error);
      throw error;
    }
    // The console offers only what its key may do.
    http.getResponse<FastifyReply>().header('Tillfront-Access', caller.access);
    http.getRequest<RequestWithCaller>().caller = caller;
    return true;
  }
}

/** Throws `forbidden` for a browser's token, and for a key that is neither for everything nor for one of `others`. */
function assertMerchant(
  caller: Caller | PaymentReader,
  others: readonly Access[] = [],
): asserts caller is MerchantCaller {
  if (caller.kind !== 'merchant') {
    throw new Problem('forbidden', 'A payer’s token cannot do this: it needs a merchant key.');
  }
  if (caller.access === 'full' || others.includes(caller.access)) return;
  throw new Problem(
    'forbidden',
    caller.access === 'read'
      ? 'A read key cannot change anything.'
      : 'A key for the books cannot do this: it needs a merchant key.',
  );
}
