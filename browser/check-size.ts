import { bundleScript } from './build/bundle.ts';
import { gzippedSize } from './build/page-files.ts';

/** The largest size of the kit in bytes, gzipped. A payer on a poor connection waits for each of them. */
const BUDGETS = [
  { name: 'kit without the element', entry: 'kit/core.ts', budget: 20_000 },
  { name: 'kit with the element', entry: 'kit/tillfront.ts', budget: 40_000 },
];

for (const { name, entry, budget } of BUDGETS) {
  const size = gzippedSize(await bundleScript(entry));
  const result = size <= budget ? 'fits' : 'IS TOO LARGE FOR';
  process.stdout.write(`${name}: ${size} bytes gzipped, ${result} its budget of ${budget}\n`);
  if (size > budget) process.exitCode = 1;
}
