import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { bundleScript, bundleStyle } from './build/bundle.ts';
import { languageFiles } from './build/languages.ts';
import { gzippedSize } from './build/page-files.ts';

/** What a payer on a poor connection waits for, in bytes. It fails where that is more than is allowed. */

const kit = await bundleScript('kit/tillfront.ts');
const [element, client] = await Promise.all([
  bundleScript('element/checkout-element.ts'),
  bundleScript('kit/client.ts'),
]);
const page = [
  await bundleScript('checkout/checkout.tsx'),
  await bundleStyle('checkout/checkout.css'),
  await readFile(new URL('checkout/checkout.html', import.meta.url), 'utf8'),
];
const languages = (await languageFiles()).map(({ content }) => brotli(content));
const pageSize = page.reduce((sum, content) => sum + brotli(content), Math.max(...languages));

const budgets: [name: string, size: number, most: number][] = [
  ['the kit, gzipped', gzippedSize(kit), 15_000],
  ['of it the element’s loader', gzippedSize(element), 3_000],
  ['of it the client', gzippedSize(client), 12_000],
  ['the payer’s page with one language, Brotli', pageSize, 34_000],
];

function brotli(content: string): number {
  return brotliCompressSync(content).length;
}

for (const [name, size, most] of budgets) {
  process.stdout.write(`${name}: ${size} bytes, ${size <= most ? 'within' : 'ABOVE'} ${most}\n`);
  if (size > most) process.exitCode = 1;
}
