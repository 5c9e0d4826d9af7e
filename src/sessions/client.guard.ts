import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { SecurityScheme } from '../http/server/controller-routes.js';
import { Problem } from '../http/problems/problem.js';
import { AuditedCalls } from '../audit/audited.js';
import { Authenticator } from './authenticator.js';
import type { RequestWithCaller } from './caller.js';
import { MerchantGuard } from './merchant.guard.js';
import type { PaymentReader } from './payment-reader.js';

const ONLY_READS = 'This token only shows what became of one payment.';

/** Lets a browser with a client token in. Whether the token has expired is known once its session is loaded. */
@Injectable()
export class ClientGuard implements CanActivate {
  static readonly apiSecurity: readonly SecurityScheme[] = ['clientToken'];

  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = await this.authenticator.identify(request);
    if (caller.kind !== 'client') {
      throw new Problem(
        'forbidden',
        caller.kind === 'merchant'
          ? 'A merchant key cannot do this: it needs the client token of a session.'
          : ONLY_READS,
      );
    }
    request.caller = caller;
    return true;
  }
}

/** Lets both in: the browser of a session, and the merchant's server by the merchant guard's rules. */
@Injectable()
export class ClientOrMerchantGuard implements CanActivate {
  static readonly apiSecurity: readonly SecurityScheme[] = ['clientToken', 'merchantKey'];

  private readonly merchant: MerchantGuard;

  constructor(
    private readonly authenticator: Authenticator,
    reflector: Reflector,
    audit: AuditedCalls,
  ) {
    this.merchant = new MerchantGuard(authenticator, reflector, audit);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = await this.authenticator.identify(request);
    if (caller.kind === 'merchant') return this.merchant.admit(caller, context);
    if (caller.kind === 'payment-reader') return this.read(request, caller);
    request.caller = caller;
    return true;
  }

  /** How a payer's link back is treated: it may only read its payment. */
  protected read(_request: RequestWithCaller, _reader: PaymentReader): boolean {
    throw new Problem('forbidden', ONLY_READS);
  }
}

/**
 * Lets in every caller that may read one payment: a session's browser, the merchant's server, and the payer's link back
 * from the bank.
 */
@Injectable()
export class PaymentReadGuard extends ClientOrMerchantGuard {
  static override readonly apiSecurity: readonly SecurityScheme[] = [
    ...ClientOrMerchantGuard.apiSecurity,
    'returnToken',
  ];

  protected override read(request: RequestWithCaller, reader: PaymentReader): boolean {
    request.reader = reader;
    return true;
  }
}
