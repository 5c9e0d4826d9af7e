import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Gateway } from './gateway.js';

/** Provides the gateway to every module, and closes its connections. */
@Global()
@Module({})
export class GatewayModule implements OnApplicationShutdown {
  constructor(private readonly gateway: Gateway) {}

  static forRoot(gateway: Gateway): DynamicModule {
    return {
      module: GatewayModule,
      providers: [{ provide: Gateway, useValue: gateway }],
      exports: [Gateway],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.gateway.close();
  }
}
