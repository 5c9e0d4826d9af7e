import { buildPages } from './build/pages.ts';

/** Builds all browser files into `dist/pages/files`, and the npm package into `browser/dist`. */
const figures = await buildPages();
for (const { name, gzipped } of figures)
  process.stdout.write(`${name}: ${(gzipped / 1000).toFixed(1)} kB gzipped\n`);
