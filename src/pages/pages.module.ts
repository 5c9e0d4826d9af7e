import { Logger, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { KitController } from './kit.controller.js';
import { builtPages, readPageFiles, PAGE_FILES, type PageFileIndex, settledPages } from './page-files.js';
import { PagesController } from './pages.controller.js';

/** The browser kit, the checkout page and the console. */
@Module({
  controllers: [KitController, PagesController],
  providers: [
    {
      provide: PAGE_FILES,
      useFactory: async (config: Config): Promise<PageFileIndex> => {
        const files = await readPageFiles(builtPages);
        if (files !== undefined)
          return settledPages(files, { ...config.http, ...config.brand, mode: config.gateway.mode });
        new Logger('Pages').warn('The pages are not built: run `npm run build`.');
        return undefined;
      },
      inject: [CONFIG],
    },
  ],
})
export class PagesModule {}
