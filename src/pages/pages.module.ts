import { Logger, Module } from '@nestjs/common';
import { builtPages, readPageFiles } from './page-files.js';
import { PAGE_FILES, PagesController } from './pages.controller.js';

/** The browser kit, the checkout page and the console. */
@Module({
  controllers: [PagesController],
  providers: [
    {
      provide: PAGE_FILES,
      useFactory: async () => {
        const files = await readPageFiles(builtPages);
        if (files === undefined) new Logger('Pages').warn('The pages are not built: run `npm run build`.');
        return files;
      },
    },
  ],
})
export class PagesModule {}
