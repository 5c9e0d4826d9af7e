import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Store } from './store.js';

/** Provides the opened store to every module, and closes it last. */
@Global()
@Module({})
export class StoreModule implements OnApplicationShutdown {
  constructor(@Inject(Store) private readonly store: Store) {}

  static forRoot(store: Store): DynamicModule {
    return { module: StoreModule, providers: [{ provide: Store, useValue: store }], exports: [Store] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
