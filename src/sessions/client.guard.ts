import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { SecurityScheme } from '../http/openapi.js';
import { Problem } from '../http/problem.js';
import { Authenticator } from './authenticator.js';
import type { RequestWithCaller } from './caller.js';
import { MerchantGuard } from './merchant.guard.js';

/** Lets a browser with a client token in. Whether the token still reads is known once its session is loaded. */
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
        'A merchant key cannot do this: it needs the client token of a session.',
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
  ) {
    this.merchant = new MerchantGuard(authenticator, reflector);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = await this.authenticator.identify(request);
    if (caller.kind === 'merchant') return this.merchant.admit(caller, context);
    request.caller = caller;
    return true;
  }
}
