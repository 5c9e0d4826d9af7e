import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import type { SecurityScheme } from '../http/openapi.js';
import { Problem } from '../http/problem.js';
import { authenticate, type RequestWithCaller } from './caller.js';
import { MerchantGuard } from './merchant.guard.js';

/** Lets a browser with a client token in. Whether the token still reads is known once its session is loaded. */
@Injectable()
export class ClientGuard implements CanActivate {
  static readonly apiSecurity: readonly SecurityScheme[] = ['clientToken'];

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = authenticate(request.headers.authorization, {
      ...this.config.merchant,
      secretKeys: this.config.keys.secretKeys,
    });
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
    @Inject(CONFIG) private readonly config: Config,
    reflector: Reflector,
  ) {
    this.merchant = new MerchantGuard(config, reflector);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const caller = authenticate(request.headers.authorization, {
      ...this.config.merchant,
      secretKeys: this.config.keys.secretKeys,
    });
    if (caller.kind === 'merchant') return this.merchant.canActivate(context);
    request.caller = caller;
    return true;
  }
}
