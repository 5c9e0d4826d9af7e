import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Store } from './store.js';
import { WrittenTexts } from './written-texts.js';

/** Provides the opened store to every module. */
@Global()
@Module({})
export class StoreModule {
  static forRoot(store: Store): DynamicModule {
    return {
      module: StoreModule,
      providers: [{ provide: Store, useValue: store }, WrittenTexts],
      exports: [Store, WrittenTexts],
    };
  }
}
