import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { SecurityScheme } from '../http/server/described-guard.js';
import { Problem } from '../http/problems/problem.js';
import { CallAudit } from './audited.js';
import { Authenticator } from './authenticator.js';
import type { Caller, MerchantCaller, RequestWithCaller } from './caller.js';
import type { PaymentReader } from './payment-reader.js';

const READING = 'tillfront:reading';

/** Marks a route that only reads: a read key may call it too. */
export const ReadAccess = (): MethodDecorator & ClassDecorator => SetMetadata(READING, true);

/** Lets the merchant's server in: with a read key only where the route is marked `ReadAccess`. */
@Injectable()
export class MerchantGuard implements CanActivate {
  static readonly apiSecurity: readonly SecurityScheme[] = ['merchantKey'];

  constructor(
    private readonly authenticator: Authenticator,
    private readonly reflector: Reflector,
    private readonly audit: CallAudit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    return this.admit(await this.authenticator.identify(request), context);
  }

  /** Lets a caller in that was authenticated already. A known one who may not is in the audit. */
  async admit(caller: Caller | PaymentReader, context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const reading = this.reflector.getAllAndOverride<boolean | undefined>(READING, [
      context.getHandler(),
      context.getClass(),
    ]);
    try {
      assertMerchant(caller, reading === true);
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

/** Throws `forbidden` for a browser's token, and for a read key on a route that changes something. */
export function assertMerchant(
  caller: Caller | PaymentReader,
  readingOnly: boolean,
): asserts caller is MerchantCaller {
  if (caller.kind !== 'merchant') {
    throw new Problem('forbidden', 'A payer’s token cannot do this: it needs a merchant key.');
  }
  if (caller.access === 'read' && !readingOnly) {
    throw new Problem('forbidden', 'A read key cannot change anything.');
  }
}
