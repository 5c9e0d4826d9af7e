import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Store } from './store.js';

/** Provides the opened store to every module. */
@Global()
@Module({})
export class StoreModule {
  static forRoot(store: Store): DynamicModule {
    return { module: StoreModule, providers: [{ provide: Store, useValue: store }], exports: [Store] };
  }
}
