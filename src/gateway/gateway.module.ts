import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Gateway } from './gateway.js';
import type { Profile } from './profile/format.js';

/** Injection token of the checked gateway {@link Profile}. */
export const PROFILE = Symbol('PROFILE');

/** Hands the gateway and its profile to every module. */
@Global()
@Module({})
export class GatewayModule {
  static forRoot(gateway: Gateway, profile: Profile): DynamicModule {
    return {
      module: GatewayModule,
      providers: [
        { provide: Gateway, useValue: gateway },
        { provide: PROFILE, useValue: profile },
      ],
      exports: [Gateway, PROFILE],
    };
  }
}
